/**
 * A state machine as a table: for each state, the events and the states they lead to. An event that the table
 * doesn't have for a state changes nothing, so a late answer or a double click can't break a dialog.
 */
export interface Machine<State extends string, Event extends string> {
  initial: State;
  transitions: { readonly [state in State]: { readonly [event in Event]?: State } };
}

export function machine<State extends string, Event extends string>(
  definition: Machine<State, Event>,
): Machine<State, Event> {
  return definition;
}

export function next<State extends string, Event extends string>(
  { transitions }: Machine<State, Event>,
  state: State,
  event: Event,
): State {
  return transitions[state][event] ?? state;
}

export function allows<State extends string, Event extends string>(
  { transitions }: Machine<State, Event>,
  state: State,
  event: Event,
): boolean {
  return transitions[state][event] !== undefined;
}
