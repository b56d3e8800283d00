/** A real Asterisk, with people on telephones by SIPp: started with the files of deploy/asterisk. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallNews, CallProvider, CallStep } from '../calls.ts';
import { listenToAsterisk, type Step } from './asterisk-ear.ts';

const asterisk = process.env.ASTERISK_BIN ?? 'asterisk';
const sipp = process.env.SIPP_BIN ?? 'sipp';
/** The modules and data of an Asterisk that is installed in an unusual folder. */
const root = process.env.ASTERISK_ROOT ?? '';

export const isAsteriskHere =
  spawnSync(asterisk, ['-V']).status === 0 && spawnSync(sipp, ['-v']).error === undefined;

export interface RealAsterisk {
  provider: CallProvider;
  news: CallNews[];
  /** The same with a new process: the old one is killed. */
  restart(): CallProvider;
  until<T>(find: () => T | undefined, seconds?: number): Promise<T>;
  stop(): Promise<void>;
}

/** The ports from `rtp` on are for sound, two thousand of them. */
export async function startAsterisk(
  ports: { sip: number; people: number; ari: number; rtp: number },
  { seconds, answer }: { seconds: number; answer: (step: Step) => CallStep[] },
): Promise<RealAsterisk> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-asterisk-'));
  writeConfiguration(folder, ports);
  const children: ChildProcess[] = [
    spawn(asterisk, ['-f', '-C', join(folder, 'asterisk.conf')], { stdio: 'ignore' }),
    spawn(
      sipp,
      [
        ...['-sf', join(folder, 'sip-people.xml'), '-i', '127.0.0.1', '-p', String(ports.people)],
        ...['-min_rtp_port', String(ports.rtp + 1000), '-max_rtp_port', String(ports.rtp + 1900)],
        ...['-nostdin', '-l', '1000'],
      ],
      { stdio: 'ignore', env: { ...process.env, TERM: 'dumb' } },
    ),
  ];
  const sounds = await serveSounds(seconds);
  const publicUrl = `http://127.0.0.1:${(sounds.address() as AddressInfo).port}`;
  const authorization = `Basic ${Buffer.from('muster:test-password').toString('base64')}`;
  for (let tries = 0; ; tries += 1) {
    const isUp = await fetch(`http://127.0.0.1:${ports.ari}/ari/asterisk/info`, {
      headers: { authorization },
    })
      .then(({ ok }) => ok)
      .catch(() => false);
    if (isUp) break;
    if (tries > 300) throw new Error('Asterisk did not start.');
    await delay(100);
  }
  const settings = { url: `http://127.0.0.1:${ports.ari}`, user: 'muster', password: 'test-password' };
  const listening = listenToAsterisk({ ...settings, publicUrl }, answer);
  return {
    provider: listening.start(),
    news: listening.news,
    restart: listening.start,
    until: listening.until,
    async stop() {
      await listening.close();
      for (const child of children) {
        if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
      }
      sounds.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeConfiguration(
  folder: string,
  { sip, people, ari, rtp }: { sip: number; people: number; ari: number; rtp: number },
): void {
  const deployed = (name: string) =>
    readFileSync(join(import.meta.dirname, '../../../deploy/asterisk', name), 'utf8');
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const part of ['run', 'log', 'spool', 'lib', 'cache'])
    mkdirSync(join(folder, part), { recursive: true });
  const modules =
    root === ''
      ? ''
      : `astmoddir => ${root}/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/asterisk/modules\n`;
  const data = `${root}/usr/share/asterisk`;
  write(
    'asterisk.conf',
    `[directories]
astetcdir => ${folder}
${modules}astdatadir => ${data}
astvarlibdir => ${folder}/lib
astdbdir => ${folder}/lib
astkeydir => ${folder}/lib
astspooldir => ${folder}/spool
astrundir => ${folder}/run
astlogdir => ${folder}/log
astcachedir => ${folder}/cache
`,
  );
  write(
    'modules.conf',
    '[modules]\nautoload=yes\nnoload => chan_iax2.so\nnoload => chan_unistim.so\nnoload => pbx_dundi.so\n',
  );
  write('logger.conf', '[logfiles]\nmessages => warning,error\n');
  write('rtp.conf', `[general]\nrtpstart=${rtp}\nrtpend=${rtp + 900}\n`);
  write(
    'sip-people.xml',
    readFileSync(join(import.meta.dirname, 'sip-people.xml'), 'utf8').replace(
      'KEY_1',
      `${root}/usr/share/sip-tester/dtmf_2833_1.pcap`,
    ),
  );
  write('extensions.conf', deployed('extensions.conf'));
  write('ari.conf', deployed('ari.conf').replace('change-me', 'test-password'));
  write('http.conf', deployed('http.conf').replace('bindport = 8088', `bindport = ${ari}`));
  write(
    'pjsip.conf',
    deployed('pjsip.conf')
      .replace('0.0.0.0:5060', `127.0.0.1:${sip}`)
      .replace('sip:sip.carrier.example', `sip:127.0.0.1:${people}`)
      .replace('match = sip.carrier.example', 'match = 127.0.0.1')
      .replace(/^(from_domain|outbound_auth).*\n/gm, ''),
  );
}

/** Every message is this many seconds of sound; pauses keep their length. */
async function serveSounds(seconds: number): Promise<Server> {
  const server = createServer((request, response) => {
    const pause = /\/media\/silence\/(\d+)\.ulaw/.exec(request.url ?? '')?.[1];
    const bytes = Buffer.alloc(
      (pause === undefined ? seconds : Number(pause)) * 8000,
      pause === undefined ? 0x55 : 0xff,
    );
    response.writeHead(200, {
      'content-type': 'audio/basic',
      'content-length': bytes.length,
      'cache-control': 'private, max-age=31536000, immutable',
    });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
