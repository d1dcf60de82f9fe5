import { Card } from '#components/ui/card.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#components/ui/tabs.tsx';
import type { DeliveryDetail } from '#lib/features/webhooks/contract.ts';

const LANGUAGES = [
  { id: 'curl', label: 'Shell' },
  { id: 'node', label: 'Node' },
  { id: 'python', label: 'Python' },
  { id: 'php', label: 'PHP' },
] as const;

/** Programs that check the signature of this very body. */
export function VerifySnippets({
  verify,
  secretIsCurrent,
}: {
  verify: NonNullable<DeliveryDetail['verify']>;
  secretIsCurrent: boolean;
}) {
  return (
    <Card
      title="Verify it yourself"
      description="Set WEBHOOK_SECRET to the signing secret and paste one of these: it recomputes the signature over the exact body above."
    >
      <div className="flex flex-col gap-3">
        {secretIsCurrent ? null : (
          <Notice tone="warning">
            The secret was regenerated since. The signature was made with the former one.
          </Notice>
        )}
        <Tabs defaultValue="curl">
          <TabsList aria-label="Languages">
            {LANGUAGES.map((language) => (
              <TabsTrigger key={language.id} value={language.id}>
                {language.label}
              </TabsTrigger>
            ))}
          </TabsList>
          {LANGUAGES.map((language) => (
            <TabsContent key={language.id} value={language.id} className="pt-3!">
              <CodeBlock code={verify[language.id]} label={`${language.label} program`} />
            </TabsContent>
          ))}
        </Tabs>
      </div>
    </Card>
  );
}
