import {
  fixedGroupKeys,
  type GroupKey,
  groupKeyOf,
  replyGroupLimits,
  wordsOfKey,
} from '../../../contract/reply-groups.ts';
import { type Language, type Sorted, sortReply, type Term } from './rules.ts';

/**
 * Groups replies by what they say, without any model or service: the same replies always make the same
 * groups, and each group can name the words that define it. The text's own meaning decides first (rules.ts).
 * Questions are then compared with each other: each is a vector of its terms, rare terms weigh more (TF-IDF),
 * and those whose vectors point the same way (cosine) are together. A generator, so that the caller can yield
 * to others between its steps.
 */

export interface GroupedText {
  id: number;
  text: string;
}

interface Placed {
  key: GroupKey;
  /** Other groups that it belongs to. */
  also: GroupKey[];
}

export interface Grouping {
  /** By the reply's id. */
  places: Map<number, Placed>;
  /** Groups of questions, with their words as people wrote them. */
  words: Map<GroupKey, string[]>;
}

/** From this similarity on two questions are about the same topic: they share half of their terms. */
const alike = 0.5;
/** A question in a group may be a little further from the group's center than from its first question. */
const stillAlike = 0.42;
/** A group of questions has at least two. */
const smallest = 2;
/** Texts to process before yielding to others. */
const step = 100;

/** Questions with the same terms: a result for one applies to all. */
interface Bag {
  terms: Term[];
  ids: number[];
  vector: Vector;
}

type Vector = Map<string, number>;

interface Cluster {
  /** A group that people have used already keeps its name. */
  key: GroupKey | undefined;
  center: Vector;
  bags: Bag[];
}

export function* groupReplies(
  replies: readonly GroupedText[],
  { home, knownKeys = [] }: { home: Language; knownKeys?: readonly string[] },
): Generator<void, Grouping> {
  const places = new Map<number, Placed>();
  const bags = new Map<string, Bag>();
  const sorted = new Map<string, Sorted>();
  for (const [index, { id, text }] of replies.entries()) {
    if (index % step === 0) yield;
    // Many people write the same few words.
    const known = sorted.get(text);
    const { kinds, terms } = known ?? sortReply(text, home);
    if (known === undefined) sorted.set(text, { kinds, terms });
    const [key, ...also] = kinds;
    places.set(id, { key, also });
    if (terms.length === 0) continue;
    const name = terms
      .map(({ stem }) => stem)
      .sort()
      .join('+');
    const bag = bags.get(name);
    if (bag === undefined) bags.set(name, { terms, ids: [id], vector: new Map() });
    else bag.ids.push(id);
  }
  const clusters = yield* clusterBags(weigh([...bags.values()]), knownKeys);
  const words = new Map<GroupKey, string[]>();
  for (const { key, bags: members, shown } of named(clusters)) {
    words.set(key, shown);
    for (const id of members.flatMap(({ ids }) => ids)) {
      const place = places.get(id);
      if (place !== undefined) places.set(id, { key, also: place.also });
    }
  }
  yield* noteSeconds(places, clusters, words);
  return { places, words };
}

/**
 * Gives every bag its vector. Sorted by how many said it, then by their terms: the order of the replies
 * doesn't matter.
 */
function weigh(bags: Bag[]): Bag[] {
  const frequency = new Map<string, number>();
  let total = 0;
  for (const { terms, ids } of bags) {
    total += ids.length;
    for (const { stem } of terms) frequency.set(stem, (frequency.get(stem) ?? 0) + ids.length);
  }
  const weightOf = (stem: string) => 1 + Math.log((total + 1) / ((frequency.get(stem) ?? 0) + 1));
  for (const bag of bags) {
    bag.vector = unit(new Map(bag.terms.map(({ stem }) => [stem, weightOf(stem)])));
  }
  const nameOf = (bag: Bag) => bag.terms.map(({ stem }) => stem).join('+');
  return bags
    .map((bag) => ({ bag, name: nameOf(bag) }))
    .sort((a, b) => b.bag.ids.length - a.bag.ids.length || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ bag }) => bag);
}

function unit(vector: Vector): Vector {
  let sum = 0;
  for (const weight of vector.values()) sum += weight * weight;
  const length = Math.sqrt(sum) || 1;
  return new Map([...vector].map(([stem, weight]) => [stem, weight / length]));
}

/**
 * Two passes: the first finds the groups, the second puts each question into the one with the nearest center.
 */
function* clusterBags(bags: Bag[], knownKeys: readonly string[]): Generator<void, Cluster[]> {
  const known = knownKeys.flatMap((key): Cluster[] => {
    const stems = wordsOfKey(key);
    if (stems === undefined) return [];
    return [{ key: groupKeyOf(stems), center: unit(new Map(stems.map((stem) => [stem, 1]))), bags: [] }];
  });
  const found: Cluster[] = [...known];
  const index = indexOf(found);
  for (const [at, bag] of bags.entries()) {
    if (at % step === 0) yield;
    const nearest = best(findNear(bag.vector, index, alike));
    if (nearest !== undefined) {
      found[nearest]?.bags.push(bag);
      continue;
    }
    addToIndex(index, bag.vector, found.length);
    found.push({ key: undefined, center: bag.vector, bags: [bag] });
  }
  for (const cluster of found) cluster.center = middleOf(cluster);
  const middles = indexOf(found);
  for (const cluster of found) cluster.bags = [];
  for (const [at, bag] of bags.entries()) {
    if (at % step === 0) yield;
    const nearest = best(findNear(bag.vector, middles, stillAlike));
    if (nearest !== undefined) found[nearest]?.bags.push(bag);
  }
  return found.filter(({ key, bags: members }) => sizeOf(members) >= (key === undefined ? smallest : 1));
}

function middleOf({ key, center, bags }: Cluster): Vector {
  const sum: Vector = new Map(key === undefined ? [] : center);
  for (const { vector, ids } of bags) {
    for (const [stem, weight] of vector) sum.set(stem, (sum.get(stem) ?? 0) + weight * ids.length);
  }
  return unit(sum);
}

function sizeOf(bags: readonly Bag[]): number {
  return bags.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** By term, the clusters whose center has it: a question is compared only with those that share a term with it. */
interface Index {
  byTerm: Map<string, { clusters: number[]; weights: number[] }>;
  /** By cluster, for the question that is being compared; 0 in between. */
  sums: number[];
}

interface Near {
  at: number;
  score: number;
}

function indexOf(clusters: readonly Cluster[]): Index {
  const index: Index = { byTerm: new Map(), sums: [] };
  for (const [at, { center }] of clusters.entries()) addToIndex(index, center, at);
  return index;
}

function addToIndex({ byTerm, sums }: Index, center: Vector, at: number): void {
  sums[at] = 0;
  for (const [stem, weight] of center) {
    const entries = byTerm.get(stem);
    if (entries === undefined) byTerm.set(stem, { clusters: [at], weights: [weight] });
    else {
      entries.clusters.push(at);
      entries.weights.push(weight);
    }
  }
}

/** Small differences are rounding errors, not differences between questions. */
const tiny = 1e-9;

/**
 * The clusters that are near enough. This computes millions of sums, so nothing is allocated for the others.
 */
function findNear(vector: Vector, { byTerm, sums }: Index, least: number): Near[] {
  const touched: number[] = [];
  for (const [stem, own] of vector) {
    const { clusters = [], weights = [] } = byTerm.get(stem) ?? {};
    for (let entry = 0; entry < clusters.length; entry += 1) {
      const at = clusters[entry] as number;
      const before = sums[at] as number;
      if (before === 0) touched.push(at);
      sums[at] = before + own * (weights[entry] as number);
    }
  }
  const near: Near[] = [];
  for (const at of touched) {
    const score = sums[at] as number;
    if (score > least - tiny) near.push({ at, score });
    sums[at] = 0;
  }
  return near;
}

/** The nearest; among equals the one that was found first. */
function best(near: readonly Near[]): number | undefined {
  let nearest: Near | undefined;
  for (const each of near) {
    const isNearer =
      nearest === undefined ||
      each.score > nearest.score + tiny ||
      (each.score > nearest.score - tiny && each.at < nearest.at);
    if (isNearer) nearest = each;
  }
  return nearest?.at;
}

interface NamedCluster {
  key: GroupKey;
  bags: Bag[];
  shown: string[];
}

/** Each with its own key; clusters that would get the same name are merged. */
function named(clusters: Cluster[]): NamedCluster[] {
  const byKey = new Map<GroupKey, NamedCluster>();
  for (const cluster of clusters) {
    const { stems, shown } = commonWords(cluster.bags);
    const key = cluster.key ?? groupKeyOf(stems);
    const same = byKey.get(key);
    cluster.key = key;
    if (same === undefined) byKey.set(key, { key, bags: [...cluster.bags], shown });
    else same.bags.push(...cluster.bags);
  }
  return [...byKey.values()];
}

/** The terms that at least half of the questions have, the most frequent first, as most people wrote them. */
function commonWords(bags: readonly Bag[]): { stems: string[]; shown: string[] } {
  const counts = new Map<string, { count: number; words: Map<string, number> }>();
  for (const { terms, ids } of bags) {
    for (const { stem, word } of terms) {
      const entry = counts.get(stem) ?? { count: 0, words: new Map<string, number>() };
      entry.count += ids.length;
      entry.words.set(word, (entry.words.get(word) ?? 0) + ids.length);
      counts.set(stem, entry);
    }
  }
  const most = (entries: Iterable<[string, number]>) =>
    [...entries].sort(([a, many], [b, others]) => others - many || (a < b ? -1 : 1));
  const ranked = most([...counts].map(([stem, { count }]) => [stem, count]));
  const half = sizeOf(bags) / 2;
  const stems = ranked
    .filter(([, count], index) => index === 0 || count >= half)
    .slice(0, replyGroupLimits.words)
    .map(([stem]) => stem);
  const shown = stems.map((stem) => most(counts.get(stem)?.words ?? [])[0]?.[0] ?? stem);
  return { stems, shown };
}

/** A question near the center of a second group also belongs there, and says so. */
function* noteSeconds(
  places: Map<number, Placed>,
  clusters: Cluster[],
  words: Map<GroupKey, string[]>,
): Generator<void> {
  const kept = clusters.map((cluster) => ({ ...cluster, center: middleOf({ ...cluster, key: undefined }) }));
  const index = indexOf(kept);
  let done = 0;
  for (const { key, bags } of kept) {
    for (const { vector, ids } of bags) {
      done += 1;
      if (done % step === 0) yield;
      const others = findNear(vector, index, alike).filter(({ at }) => kept[at]?.key !== key);
      const second = kept[best(others) ?? -1]?.key;
      if (second === undefined || !words.has(second)) continue;
      for (const id of ids) places.get(id)?.also.unshift(second);
    }
  }
}

/** The order in which groups are shown: groups that need an answer first, the largest of them first. */
export function compareGroups(a: { key: string; size: number }, b: { key: string; size: number }): number {
  // Groups of questions are not among the fixed ones, so they come first.
  const rank = (key: string) => (fixedGroupKeys as readonly string[]).indexOf(key);
  return rank(a.key) - rank(b.key) || b.size - a.size || (a.key < b.key ? -1 : 1);
}

/** Others wait at most this long for their turn. */
const turnMs = 8;

/** Runs it to its end in steps, so that other requests are answered meanwhile. */
export async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began < turnMs) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    began = performance.now();
  }
}
