/** Words around keys, in the languages that voices read. Small letters without accents. */
const listOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Said before a key. */
export const verbs =
  listOf(`press pressing push pushing punch punching dial dialing touch touching tap tapping
  presione presionen presiona presionar presionando oprima opriman oprime oprimir oprimiendo marque marquen marca marcar
  marcando pulse pulsen pulsa pulsar pulsando apriete aprieten aprieta apretar apretando toque toquen toca tocar
  aplaste aplasten aplasta teclee tecleen teclear pique pica picale
  appuyez appuyer appuyant tapez taper composez composer pressez
  drucken drucke druckt wahlen wahle tippen prema premi premere premete premendo digiti digita digitate digitare
  aperte apertem apertar pressione pressionar digite digitem digitar tecle teclem teclar`);
/** Said before other things too: a key after them has to look like one. */
export const weakVerbs =
  listOf(`hit hitting enter entering type typing key select selecting choose choosing pick picking use
  using ingrese ingresen ingresar ingresando elija elijan elegir eligiendo escoja escojan escoger
  seleccione seleccionen seleccionar seleccionando digite faites choisissez scelga scegli selecione escolha`);
export const stars = listOf('* star asterisk estrella asterisco etoile stern sterntaste stella estrela');
/** Words that may come between a verb and its key. */
export const fillers =
  listOf(`( : the a number numbers key keys digit digits button option either any from between in on then
  el la los las un una uno al numero numeros tecla teclas boton opcion entre del de en
  le les touche bouton sur sie bitte die den auf taste zahl il tasto pulsante opcao opzione o botao numeral`);
export const joiners = listOf(
  ', / - or and to through thru o u y e ou et oder und bis al a hasta oppure ate ao',
);
export const ranges = listOf('- – to through thru a al hasta bis ate ao');
/** Between "between" and its end. */
export const ands = listOf('and y e et und');
export const betweens = listOf('between entre zwischen tra fra');
/** Words and signs that follow a key, and not a number of things. */
export const followers =
  listOf(`, / - – . ! ? ; : ( ) for if to when or and now on in at as then again please yes no followed
  through thru para si cuando o u y e por en ahora pour fur um per se ou et oder und wenn oui non ja nein sim nao`);
/** "6 pm", "3 of them", "5 minutes": no key, whatever came before. */
export const units =
  listOf(`am pm a.m p.m p oclock o'clock uhr of percent % dollar dollars cents dolar dolares centavos pesos euros
  minute minutes hour hours second seconds day days week weeks month months year years time times miles degrees
  minuto minutos hora horas dia dias semana semanas mes meses ano anos vez veces grados st nd rd th`);
/** "1 de mayo", "6 de la tarde", "3 de los niños". "El 1 de su teléfono" is a key. */
export const afterDe = listOf('los las estos estas esos esas nuestros nuestras cada este');
export const partsOfDay = listOf('tarde manana noche madrugada');
export const months =
  listOf(`january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec
  enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre
  janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
  januar februar marz juni juli oktober dezember
  gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
  janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro`);
export const stopWords = listOf(`stop stopped opt unsubscribe remove removed cancel quit end off calls
  dejar parar detener cancelar baja llamadas`);

/** "Any other key": then every key is an answer. */
export const anyWords =
  listOf(`any anything other another different otra otras otro otros cualquier cualquiera
  autre n'importe andere anderen beliebige altro altra qualsiasi outra outro qualquer`);
export const keyNouns = listOf(`key keys button buttons digit digits tecla teclas boton botones botao
  touche touches bouton taste tasten tasto tasti pulsante`);
/** These have other meanings, and are keys only in a sentence that has people press one. */
export const numberNouns = listOf('number numbers numero numeros zahl else');
export const nearKeys = listOf('of these those your other de otra otras otro su quelle altra outra');

export const numberWords: Readonly<Record<string, number>> = {
  ...{ zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9 },
  ...{ cero: 0, uno: 1, dos: 2, tres: 3, cuatro: 4, cinco: 5, seis: 6, siete: 7, ocho: 8, nueve: 9 },
  ...{ deux: 2, trois: 3, quatre: 4, cinq: 5, huit: 8 },
  ...{ eins: 1, zwei: 2, drei: 3, vier: 4, funf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9 },
  ...{ tre: 3, quattro: 4, cinque: 5, sette: 7, otto: 8 },
  ...{ dois: 2, duas: 2, quatro: 4, sete: 7, oito: 8, nove: 9 },
};
/** Words that mean something else too: articles, "due today", "Sept.", "oh". They are keys only where one is pressed. */
export const doubtfulWords: Readonly<Record<string, number>> = {
  ...{ oh: 0, o: 0, null: 0 },
  ...{ un: 1, une: 1, ein: 1, eine: 1, um: 1, uma: 1, due: 2, sei: 6, sept: 7, neuf: 9 },
};
export const tens = listOf('10 ten diez dix zehn dieci dez');
/** "It is below 0 tonight." */
export const comparisons = listOf('below above under over minus bajo sobre menos');
/** "No one", "which one", "cada uno". */
export const beforeOne = listOf('no which this that each every only another last next cada');
/** "Zero connects you to us", in contrast to "zero tolerance". */
export const keyDoes = listOf('connects is reaches gets lets puts transfers will lo la le es');
