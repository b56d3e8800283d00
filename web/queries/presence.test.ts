import { describe, expect, it } from 'vitest';
import { presenceEndsMs, presenceNames } from '../../contract/socket.ts';
import { createPresence, createTeller, presenceLine } from './presence.ts';

function start() {
  let at = 1_000;
  let look: (() => void) | undefined;
  let dueIn = 0;
  const presence = createPresence({
    now: () => at,
    later: (publish, ms) => {
      look = publish;
      dueIn = ms;
    },
  });
  const marcus = { ConversationID: 7, UserID: 2, Name: 'Marcus Bell' };
  return {
    presence,
    marcus,
    /** Lets time pass until the next thing is over. */
    pass: () => {
      at += dueIn;
      look?.();
    },
  };
}

describe('the presence of others', () => {
  it('is known until they leave', () => {
    const { presence, marcus } = start();
    presence.hear({ ...marcus, Kind: 'viewing' });
    expect(presence.people()[7]).toEqual([{ UserID: 2, Name: 'Marcus Bell', isTyping: false }]);
    presence.hear({ ...marcus, Kind: 'left' });
    expect(presence.people()).toEqual({});
  });

  it('is over when it isn’t said again: typing first, then viewing', () => {
    const { presence, marcus, pass } = start();
    let told = 0;
    presence.subscribe(() => {
      told += 1;
    });
    presence.hear({ ...marcus, Kind: 'typing' });
    expect(presence.people()[7]?.[0]?.isTyping).toBe(true);
    pass();
    expect(presence.people()[7]?.[0]?.isTyping).toBe(false);
    pass();
    expect(presence.people()).toEqual({});
    expect(told).toBe(3);
    expect(presenceEndsMs.typing).toBeLessThan(presenceEndsMs.viewing);
  });

  it('types no longer once the text is out', () => {
    const { presence, marcus } = start();
    presence.hear({ ...marcus, Kind: 'typing' });
    presence.stopTyping(7, 2);
    expect(presence.people()[7]).toEqual([{ UserID: 2, Name: 'Marcus Bell', isTyping: false }]);
  });

  it('says nothing new when nothing is new', () => {
    const { presence, marcus } = start();
    presence.hear({ ...marcus, Kind: 'viewing' });
    const before = presence.people();
    presence.hear({ ...marcus, Kind: 'viewing' });
    expect(presence.people()).toBe(before);
  });

  it('is forgotten with the socket', () => {
    const { presence, marcus } = start();
    presence.hear({ ...marcus, Kind: 'viewing' });
    presence.forget();
    expect(presence.people()).toEqual({});
  });
});

describe('the line over the composer', () => {
  const person = (Name: string, isTyping = false) => ({ UserID: Name.length, Name, isTyping });
  it.each([
    [[], ''],
    [[person('Marcus Bell')], 'Marcus Bell is viewing this conversation'],
    [
      [person('Marcus Bell'), person('Joanne Pruitt')],
      'Marcus Bell and Joanne Pruitt are viewing this conversation',
    ],
    [[person('Marcus Bell'), person('Joanne Pruitt', true)], 'Joanne Pruitt is typing'],
    [
      [person('Marcus Bell'), person('Joanne Pruitt'), person('Dana Whitfield')],
      'Marcus Bell and 2 others are viewing this conversation',
    ],
  ])('%#: %s', (people, line) => {
    expect(presenceLine(people)).toBe(line);
  });
});

describe('the user’s own presence', () => {
  const { viewing, typing } = presenceNames;

  function tell() {
    let at = 1_000;
    const said: [string, number | null][] = [];
    const teller = createTeller(() => at);
    teller.connect((name, { ConversationID }) => said.push([name, ConversationID]));
    return {
      teller,
      said,
      pass: (ms: number) => {
        at += ms;
      },
    };
  }

  it('says that they type once in five seconds, however often they say what they view', () => {
    const { teller, said, pass } = tell();
    teller.view(7);
    teller.type(7);
    pass(200);
    teller.view(7);
    teller.type(7);
    teller.view(null);
    teller.view(7);
    pass(4_799);
    teller.type(7);
    pass(1);
    teller.type(7);
    expect(said.filter(([name]) => name === typing)).toEqual([
      [typing, 7],
      [typing, 7],
    ]);
    expect(said.filter(([name]) => name === viewing)).toHaveLength(4);
  });

  it('says at once that they type in another conversation', () => {
    const { teller, said } = tell();
    teller.type(7);
    teller.view(8);
    teller.type(8);
    expect(said).toEqual([
      [typing, 7],
      [viewing, 8],
      [typing, 8],
    ]);
  });

  it('repeats on a new connection what is viewed, and types no more often for it', () => {
    const { teller, said } = tell();
    teller.view(7);
    teller.type(7);
    teller.connect(undefined);
    teller.type(7);
    teller.connect((name, { ConversationID }) => said.push([name, ConversationID]));
    teller.type(7);
    expect(said).toEqual([
      [viewing, 7],
      [typing, 7],
      [viewing, 7],
    ]);
  });
});
