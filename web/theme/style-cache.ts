import createCache, { type EmotionCache } from '@emotion/cache';

/**
 * Emotion's cache of the rules that components add when they first render. By default all are in one sheet. When a
 * rule such as @media or @keyframes enters a sheet in use, Chromium recalculates the styles of all elements with a rule
 * in it: of the whole page, several times per dialog. So the first such rule in a frame starts a new sheet after the
 * others, which keeps the order of all rules.
 */
export function createStyleCache(): EmotionCache {
  const cache = createCache({ key: 'css' });
  const { sheet } = cache;
  const insert = sheet.insert.bind(sheet);
  let isNew = false;
  sheet.insert = (rule) => {
    if (rule.startsWith('@') && !isNew) {
      // Emotion starts a new sheet whenever it counts none of its rules.
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
