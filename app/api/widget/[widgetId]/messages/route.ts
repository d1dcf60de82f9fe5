import { sendVisitorMessage } from '#lib/features/chats/widget/contract.ts';
import { eventStream } from '#lib/http/event-stream.ts';
import { route } from '#lib/http/route.ts';
import { answerPreflight, forWidgetPages } from '#lib/http/widget-cors.ts';

export const POST = forWidgetPages(
  route(sendVisitorMessage)(async ({ params, body, request, runtime }) =>
    eventStream(await runtime.chatWidgets.send(params.widgetId, request.headers, body)),
  ),
);
export const OPTIONS = answerPreflight;
