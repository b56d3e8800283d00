/** The specification's opt-out words, with what carriers and the FCC rule of April 2025 require beside them. */
const englishOptOutWords: readonly string[] = [
  'STOP',
  'STOPALL',
  'STOP ALL',
  'QUIT',
  'END',
  'CANCEL',
  'UNSUBSCRIBE',
  'REVOKE',
  'OPT OUT',
  'OPT-OUT',
  'OPTOUT',
];

/**
 * "And foreign-language equivalents": the languages of the supported countries and those most spoken in the
 * United States and Canada. With and without accents, because many people don't type them. Words that could
 * mean something else as a whole message are left out (Vietnamese HUY without its accent is a first name).
 */
const foreignOptOutWords: readonly string[] = [
  // Spanish
  ...[
    'PARAR',
    'PARE',
    'ALTO',
    'DETENER',
    'DETENGA',
    'BAJA',
    'DARME DE BAJA',
    'CANCELAR',
    'TERMINAR',
    'REVOCAR',
  ],
  ...['NO MAS', 'NO MÁS', 'BASTA', 'SALIR'],
  // French; ARRET is required in Canada
  ...['ARRET', 'ARRÊT', 'ARRETER', 'ARRÊTER', 'ARRETEZ', 'ARRÊTEZ', 'FIN', 'DESABONNER', 'DÉSABONNER'],
  ...['DESINSCRIRE', 'DÉSINSCRIRE', 'ANNULER', 'QUITTER'],
  // German
  ...['STOPP', 'STOPPEN', 'ABMELDEN', 'ABBESTELLEN', 'ENDE', 'KÜNDIGEN', 'KUENDIGEN', 'WIDERRUF'],
  // Italian
  ...['FERMA', 'FERMARE', 'ANNULLA', 'CANCELLA', 'DISISCRIVI', 'REVOCA'],
  // Portuguese
  ...['SAIR', 'REMOVER', 'ENCERRAR'],
  // Dutch
  ...['AFMELDEN', 'UITSCHRIJVEN', 'EINDE', 'OPZEGGEN'],
  // Polish, Czech, Slovak
  ...['WYPISZ', 'REZYGNUJE', 'REZYGNUJĘ', 'ANULUJ', 'KONIEC', 'KONEC', 'ODHLASIT', 'ODHLÁSIT', 'ODHLÁSIŤ'],
  ...['ZRUSIT', 'ZRUŠIT', 'ZRUŠIŤ'],
  // Turkish
  ...['DUR', 'DURDUR', 'IPTAL', 'İPTAL', 'RET'],
  // Tagalog
  ...['TIGIL', 'ITIGIL', 'HINTO', 'IHINTO'],
  // Arabic
  ...['توقف', 'قف', 'إيقاف', 'ايقاف', 'إلغاء', 'الغاء'],
  // Korean
  ...['중지', '정지', '수신거부', '거부', '취소'],
  // Chinese
  ...['停止', '停', '退订', '退訂', '取消', '取消订阅', '取消訂閱'],
  // Vietnamese, Haitian Creole, Russian
  ...['DỪNG', 'NGỪNG', 'HỦY', 'HUỶ', 'KANPE', 'SISPANN', 'СТОП', 'ОТПИСАТЬСЯ'],
];

/** Typos that can't mean anything else. */
const misspelledOptOutWords: readonly string[] = [
  'UNSUSCRIBE',
  'UNSUBCRIBE',
  'UNSUBSCIBE',
  'UNSUB',
  'SOTP',
  'STPO',
];

export const optOutWords: readonly string[] = [
  ...englishOptOutWords,
  ...foreignOptOutWords,
  ...misspelledOptOutWords,
];

/** Only clear ones: whoever opted out must not be opted in again by a word that could mean something else. */
export const unstopWords: readonly string[] = ['UNSTOP', 'START', 'OPT IN', 'RESUBSCRIBE', 'SUBSCRIBE'];

/** AIDE is required in Canada. */
export const helpWords: readonly string[] = ['HELP', 'INFO', 'AIDE', 'AYUDA'];

export const joinWords: readonly string[] = ['JOIN', 'JOIN EVERYONE'];

/** The two answers of a text survey. */
export const surveyWords: readonly string[] = ['YES', 'NO'];
