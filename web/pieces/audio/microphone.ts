import { useEffect, useState } from 'react';
import { type MicrophoneState, microphoneState } from '../../../contract/states/recorder.ts';

type Permission = 'granted' | 'denied' | 'prompt';

/** True if this browser lets pages record at all: only those that came over https, or from this machine. */
export function canRecord(): boolean {
  return typeof navigator.mediaDevices?.getUserMedia === 'function' && typeof AudioWorkletNode === 'function';
}

/** Browsers that can't be asked ask the person when it starts. */
async function readPermission(): Promise<PermissionStatus | undefined> {
  try {
    return await navigator.permissions.query({ name: 'microphone' as PermissionName });
  } catch {
    return undefined;
  }
}

export interface Microphone {
  /** Undefined while it is looked for. */
  isKnown: boolean;
  state: MicrophoneState | undefined;
  devices: MediaDeviceInfo[];
}

/** The microphone as it is now: plugged in or not, allowed or not. Follows both. */
export function useMicrophone(): Microphone {
  const [found, setFound] = useState<{ devices: MediaDeviceInfo[]; permission: Permission }>();
  useEffect(() => {
    if (!canRecord()) {
      setFound({ devices: [], permission: 'prompt' });
      return;
    }
    let isGone = false;
    let status: PermissionStatus | undefined;
    const look = async () => {
      const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
      if (isGone) return;
      setFound({
        devices: devices.filter(({ kind }) => kind === 'audioinput'),
        permission: status?.state ?? 'prompt',
      });
    };
    void readPermission().then((read) => {
      if (isGone) return;
      status = read;
      status?.addEventListener('change', look);
      void look();
    });
    navigator.mediaDevices.addEventListener('devicechange', look);
    return () => {
      isGone = true;
      status?.removeEventListener('change', look);
      navigator.mediaDevices.removeEventListener('devicechange', look);
    };
  }, []);
  return {
    isKnown: found !== undefined,
    state: found && microphoneState(found.devices.length, found.permission),
    devices: found?.devices ?? [],
  };
}

/** The message where people can't record. */
export const microphoneSentences: Record<
  'no-devices' | 'denied' | 'insecure',
  { title: string; words: string }
> = {
  'no-devices': {
    title: 'No microphone found',
    words: 'Connect a microphone, or upload or type the message.',
  },
  denied: {
    title: 'The microphone is blocked',
    words:
      'Allow it for this site in your browser’s settings, next to the address bar. You can also upload or type the message.',
  },
  insecure: {
    title: 'This page can’t record',
    words: 'Browsers only record on pages opened over HTTPS. You can upload or type the message.',
  },
};
