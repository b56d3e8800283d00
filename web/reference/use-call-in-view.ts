import { useEffect, useState } from 'react';
import type { ReferenceGroup } from './read-reference.ts';

/** The id of the call at the top of the window. */
export function useCallInView(groups: ReferenceGroup[]): string {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    const inView = new Set<string>();
    const ids = groups.flatMap(({ calls }) => calls.map(({ id }) => id));
    // A band under the bar: the first call that touches it is the one being read.
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inView.add(target.id);
          else inView.delete(target.id);
        }
        setCurrent(ids.find((id) => inView.has(id)) ?? '');
      },
      { rootMargin: '-80px 0px -70% 0px' },
    );
    for (const id of ids) {
      const article = document.getElementById(id);
      if (article) observer.observe(article);
    }
    return () => observer.disconnect();
  }, [groups]);
  return current;
}
