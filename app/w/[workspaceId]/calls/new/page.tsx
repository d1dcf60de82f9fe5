import { PlaceCall } from '#components/calls/place-call.tsx';
import { Page } from '#components/ui/page-header.tsx';

export const metadata = { title: 'Place a call' };

export default function PlaceCallPage() {
  return (
    <Page>
      <PlaceCall />
    </Page>
  );
}
