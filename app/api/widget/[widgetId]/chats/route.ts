import { createVisitorChat } from '#lib/features/chats/widget/contract.ts';
import { route } from '#lib/http/route.ts';
import { answerPreflight, forWidgetPages } from '#lib/http/widget-cors.ts';

export const POST = forWidgetPages(
  route(createVisitorChat)(async ({ params, request, runtime }) => ({
    data: await runtime.chatWidgets.start(params.widgetId, request.headers),
  })),
);
export const OPTIONS = answerPreflight;
