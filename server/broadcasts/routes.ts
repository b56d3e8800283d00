import * as resultCalls from '../../contract/broadcast-results.ts';
import * as calls from '../../contract/broadcasts.ts';
import * as linkCalls from '../../contract/link-host.ts';
import * as quickCalls from '../../contract/quick-send.ts';
import * as repeatingCalls from '../../contract/repeating-broadcasts.ts';
import * as groupCalls from '../../contract/reply-groups.ts';
import * as textCalls from '../../contract/second-text.ts';
import * as sequenceCalls from '../../contract/sequences.ts';
import * as mergeCalls from '../../contract/template-merges.ts';
import { findBlockedUrls, findShortUrls } from '../../contract/text/short-urls.ts';
import { openSourceLine } from '../outside/source-line.ts';
import { type App, serve, serveDownload, serveOutside } from '../serve.ts';
import { mergeSingleOfBroadcast } from './draft/merge-single.ts';
import { addSequenceStep, previewSequenceStep } from './drips/add-step.ts';
import {
  cancelSequence,
  pauseSequence,
  resumeSequence,
  stopSequenceRecipient,
} from './drips/change-sequence.ts';
import { calculateSequenceCredits, createSequence } from './drips/create-sequence.ts';
import { getSequenceCourse } from './drips/get-course.ts';
import { listSequenceRecipients } from './drips/list-people.ts';
import { requireSequence } from './drips/queries.ts';
import { beginSequence, deleteSequence, listSequences, updateSequence } from './drips/write-sequence.ts';
import { updateBroadcast } from './feed/change-broadcast.ts';
import { previewQuickSend, quickSend } from './feed/quick-send.ts';
import { deleteBroadcastDetails } from './feed/remove-details.ts';
import { createBroadcast } from './feed/send-broadcast.ts';
import { sendSampleBroadcast } from './feed/send-sample.ts';
import { hasScheduledPictures } from './find-scheduled-pictures.ts';
import { answerReplies, previewAnswer } from './groups/answer-replies.ts';
import { listGroupReplies, listReplyGroups } from './groups/list-groups.ts';
import { moveReplies } from './groups/move-replies.ts';
import { getLinkHost, linkProof, proofToken, updateLinkHost } from './links/change-link-host.ts';
import { openLink } from './links/open-link.ts';
import { getBestHour } from './preflight/get-best-hour.ts';
import { getMessagingLimits } from './preflight/get-messaging-limits.ts';
import { validateStart } from './preflight/validate-start.ts';
import {
  canSafelyDeleteRepeating,
  deleteRepeating,
  dismissRepeatingFailures,
  updateRepeating,
} from './repeating/change-repeating.ts';
import { createRepeating } from './repeating/create-repeating.ts';
import { validateSchedule } from './repeating/judge-schedule.ts';
import { listRepeating, listRepeatingFailures } from './repeating/list-repeating.ts';
import { addLabel, deleteLabel, listLabels, updateLabel } from './results/change-labels.ts';
import { deleteBroadcast, undoBroadcasts } from './results/delete-broadcast.ts';
import { detailsToDraft, repliesToDraft } from './results/details-to-draft.ts';
import { detailsToList } from './results/details-to-list.ts';
import { downloadBroadcastDetails } from './results/download-details.ts';
import { getBroadcastProgress } from './results/get-progress.ts';
import { getBroadcastsSummary, listBroadcasts } from './results/list-broadcasts.ts';
import { listBroadcastDetails } from './results/list-details.ts';
import { downloadTextReplies, listTextReplies } from './results/list-replies.ts';
import { getBroadcast } from './results/read-broadcast.ts';
import { getRecipientTimeline } from './results/recipient-timeline.ts';
import { chooseText } from './second-text/choose-text.ts';

export function broadcastRoutes(app: App): void {
  // Short links, for anybody with one.
  app.http.get<{ Params: { token: string } }>(
    '/l/:token',
    { config: { callName: 'link' } },
    async (request, reply) => {
      const {
        'user-agent': userAgent = '',
        'sec-purpose': secPurpose,
        purpose,
        'x-moz': moz,
      } = request.headers;
      if (request.params.token === proofToken)
        return reply
          .header('cache-control', 'no-store')
          .type('text/plain')
          .send(await linkProof(app.database));
      const url = await openLink(app.database, request.params.token, {
        method: request.method,
        userAgent,
        purpose: [secPurpose, purpose, moz].join(' '),
      });
      return reply
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .header('x-robots-tag', 'noindex')
        .redirect(url, 302);
    },
  );

  const line = openSourceLine(app.config.OUTSIDE_ALLOWED_HOSTS);
  app.http.addHook('onClose', () => line.close());
  serve(app, linkCalls.getLinkHost, (trx, actor) => getLinkHost(trx, actor, app.config.PUBLIC_URL));
  serveOutside(app, linkCalls.updateLinkHost, (_app, actor, input) =>
    updateLinkHost(app, line, actor, input),
  );

  serve(app, calls.getBestHour, getBestHour);
  serve(app, calls.updateBroadcast, updateBroadcast);
  serve(app, calls.deleteBroadcast, deleteBroadcast);
  serve(app, calls.undoBroadcasts, undoBroadcasts);
  serve(app, repeatingCalls.validateSchedule, validateSchedule);
  serve(app, sequenceCalls.beginSequence, beginSequence);
  serve(app, sequenceCalls.listSequences, listSequences);
  serve(app, sequenceCalls.getSequence, (trx, actor, { params }) =>
    requireSequence(trx, actor, params.SequenceID),
  );
  serve(app, sequenceCalls.updateSequence, (trx, actor, input) =>
    updateSequence(trx, actor, input, app.config.PUBLIC_URL),
  );
  serve(app, sequenceCalls.addSequenceStep, addSequenceStep);
  serve(app, sequenceCalls.previewSequenceStep, previewSequenceStep);
  serve(app, sequenceCalls.deleteSequence, deleteSequence);
  serve(app, sequenceCalls.calculateSequenceCredits, calculateSequenceCredits);
  serve(app, sequenceCalls.createSequence, (trx, actor, input) =>
    createSequence(trx, actor, input, app.config.PUBLIC_URL),
  );
  serve(app, sequenceCalls.pauseSequence, pauseSequence);
  serve(app, sequenceCalls.resumeSequence, resumeSequence);
  serve(app, sequenceCalls.cancelSequence, cancelSequence);
  serve(app, sequenceCalls.listSequenceRecipients, listSequenceRecipients);
  serve(app, sequenceCalls.stopSequenceRecipient, stopSequenceRecipient);
  serve(app, sequenceCalls.getSequenceCourse, getSequenceCourse);
  serve(app, repeatingCalls.createRepeating, createRepeating);
  serve(app, repeatingCalls.listRepeating, listRepeating);
  serve(app, repeatingCalls.updateRepeating, updateRepeating);
  serve(app, repeatingCalls.deleteRepeating, deleteRepeating);
  serve(app, repeatingCalls.canSafelyDeleteRepeating, canSafelyDeleteRepeating);
  serve(app, repeatingCalls.listRepeatingFailures, listRepeatingFailures);
  serve(app, repeatingCalls.dismissRepeatingFailures, dismissRepeatingFailures);
  serve(app, calls.createBroadcast, createBroadcast);
  serve(app, quickCalls.previewQuickSend, (trx, actor, input) =>
    previewQuickSend(trx, actor, input, app.config.PUBLIC_URL),
  );
  serve(app, quickCalls.quickSend, (trx, actor, input) =>
    quickSend(trx, actor, input, app.config.PUBLIC_URL),
  );
  serve(app, quickCalls.sendSampleBroadcast, sendSampleBroadcast);
  serve(app, calls.validateBroadcast, validateStart);
  serve(app, mergeCalls.mergeSingleOfBroadcast, mergeSingleOfBroadcast);
  serve(app, calls.getMessagingLimits, getMessagingLimits);
  serve(app, calls.lookUpShortUrls, async (_trx, _actor, { body }) => ({
    UrlsFound: findShortUrls(body.Text).map(({ url }) => url),
    BlackListedUrls: findBlockedUrls(body.Text).map(({ url }) => url),
  }));
  serve(app, calls.hasScheduledEnhancedMessages, async (trx, actor) => ({
    HasScheduledEnhancedMessages: await hasScheduledPictures(trx, actor.accountId),
  }));

  serve(app, calls.listBroadcasts, listBroadcasts);
  serve(app, calls.getBroadcastsSummary, getBroadcastsSummary);
  serve(app, calls.getBroadcast, getBroadcast);
  serve(app, textCalls.chooseText, chooseText);
  serve(app, resultCalls.getBroadcastProgress, getBroadcastProgress);
  serve(app, resultCalls.listBroadcastDetails, listBroadcastDetails);
  serveDownload(app, resultCalls.downloadBroadcastDetails, downloadBroadcastDetails);
  serve(app, resultCalls.deleteBroadcastDetails, deleteBroadcastDetails);
  serve(app, resultCalls.detailsToList, detailsToList);
  serve(app, resultCalls.detailsToDraft, detailsToDraft);
  serve(app, resultCalls.getRecipientTimeline, getRecipientTimeline);
  serve(app, resultCalls.listTextReplies, listTextReplies);
  serveDownload(app, resultCalls.downloadTextReplies, downloadTextReplies);
  serve(app, resultCalls.repliesToDraft, repliesToDraft);
  serveOutside(app, groupCalls.listReplyGroups, listReplyGroups);
  serveOutside(app, groupCalls.listGroupReplies, listGroupReplies);
  serve(app, groupCalls.moveReplies, moveReplies);
  serve(app, groupCalls.previewAnswer, previewAnswer);
  serve(app, groupCalls.answerReplies, answerReplies);
  serve(app, calls.listLabels, listLabels);
  serve(app, calls.addLabel, addLabel);
  serve(app, calls.updateLabel, updateLabel);
  serve(app, calls.deleteLabel, deleteLabel);
}
