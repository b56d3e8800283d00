import * as calls from '../../../contract/emergencies.ts';
import { createReader } from '../../audio/speak-text.ts';
import type { FileStore } from '../../files.ts';
import type { Log } from '../../log.ts';
import { createSpeeches } from '../../outside/speech.ts';
import { type App, serve, serveOutside } from '../../serve.ts';
import {
  addEmergencyMessage,
  deleteEmergencyMessage,
  updateEmergencyMessage,
  updateEmergencySettings,
} from './change-preparations.ts';
import { previewEmergency } from './preview-emergency.ts';
import { getEmergency, getEmergencySettings } from './read-emergency.ts';
import { listUnread, readAhead } from './speak-words.ts';
import { startEmergency } from './start-emergency.ts';

export function emergencyRoutes(app: App, files: FileStore, log: Log): void {
  const context = { app, files, read: createReader({ speeches: createSpeeches(app.config), log }), log };
  serve(app, calls.getEmergency, async (trx, actor, input) => {
    const emergency = await getEmergency(trx, actor, input);
    if (emergency.CallProblem === '') readAhead(context, actor, await listUnread(trx, actor));
    return emergency;
  });
  serveOutside(app, calls.previewEmergency, (_app, actor, input) => previewEmergency(context, actor, input));
  serveOutside(app, calls.startEmergency, (_app, actor, input) => startEmergency(context, actor, input));
  serve(app, calls.getEmergencySettings, (trx, actor) => getEmergencySettings(trx, actor));
  serve(app, calls.updateEmergencySettings, updateEmergencySettings);
  serve(app, calls.addEmergencyMessage, addEmergencyMessage);
  serve(app, calls.updateEmergencyMessage, updateEmergencyMessage);
  serve(app, calls.deleteEmergencyMessage, deleteEmergencyMessage);
}
