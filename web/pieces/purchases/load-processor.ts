import type { Stripe } from '@stripe/stripe-js';

type Maker = (publishableKey: string) => Stripe;

let loading: Promise<Maker> | undefined;

/**
 * The card processor's script, loaded once from the address in the settings. It may not be hosted by us; its fields are
 * frames of its own origin, and the card's number never leaves them for this page.
 */
export async function loadProcessor(scriptUrl: string, publishableKey: string): Promise<Stripe> {
  loading ??= addScript(scriptUrl);
  try {
    return (await loading)(publishableKey);
  } catch (error) {
    // The next one who needs it tries again.
    loading = undefined;
    throw error;
  }
}

function addScript(url: string): Promise<Maker> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.async = true;
    script.onload = () => {
      const { Stripe } = window as unknown as { Stripe?: Maker };
      if (Stripe) resolve(Stripe);
      else reject(new Error('the script of the card processor defines nothing'));
    };
    script.onerror = () => {
      script.remove();
      reject(new Error('the script of the card processor did not load'));
    };
    document.head.append(script);
  });
}
