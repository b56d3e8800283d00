import createCache, { type EmotionCache } from '@emotion/cache';

/**
 * Where Emotion keeps the rules that components bring when they are first drawn. Left alone they all lie in one sheet,
 * and when a rule such as @media or @keyframes comes into a sheet that is in use, Chromium works out the styles of all
 * elements with a rule in it anew: of the whole page, several times for a dialog. So the first of those in a frame begins
 * a new sheet behind the others, which keeps the order of all rules.
 */
export function createStyleCache(): EmotionCache {
  const cache = createCache({ key: 'css' });
  const { sheet } = cache;
  const insert = sheet.insert.bind(sheet);
  let isNew = false;
  sheet.insert = (rule) => {
    if (rule.startsWith('@') && !isNew) {
      // Emotion begins a sheet whenever it counts none of its rules.
      sheet.ctr = 0;
      isNew = true;
      requestAnimationFrame(() => {
        isNew = false;
      });
    }
    insert(rule);
  };
  return cache;
}
