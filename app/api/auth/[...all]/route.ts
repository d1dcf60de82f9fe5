import { runtime } from '#lib/current-runtime.ts';

const handle = (request: Request) => runtime().auth.handle(request);

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
