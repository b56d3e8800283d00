import { RouterButton } from '../ui/router-button.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Shown once by public/check-browser.js, which has a plainer version for browsers that can't render this one. */
export function UnsupportedBrowserPage() {
  return (
    <SignInFrame
      title="Your browser is too old for Muster"
      sentence="Some things may look odd or not work. Please update it, or use a current version of Firefox, Chrome, Edge or Safari."
    >
      <RouterButton to="/home" size="large">
        Continue anyway
      </RouterButton>
    </SignInFrame>
  );
}
