import { getWidget } from '#lib/features/chats/widget/contract.ts';
import { route } from '#lib/http/route.ts';
import { answerPreflight, forWidgetPages } from '#lib/http/widget-cors.ts';

export const GET = forWidgetPages(
  route(getWidget)(async ({ params, request, runtime }) => ({
    data: await runtime.chatWidgets.config(params.widgetId, request.headers),
  })),
);
export const OPTIONS = answerPreflight;
