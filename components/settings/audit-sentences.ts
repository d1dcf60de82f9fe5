import type { AuditEvent } from '#lib/features/audit/contract.ts';

type Data = AuditEvent['data'];

/** What a person reads, after the name of who did it. Actions that are not here are shown by their own name. */
const SENTENCES: Record<string, string | ((data: Data) => string)> = {
  'account.signed_in': (data) => `signed in${from(data)}`,
  'account.sign_in_refused': (data) =>
    `tried to sign in as ${text(data.email)} with a wrong password${times(data)}${from(data)}`,
  'account.signed_out': 'signed out',
  'account.sessions_ended': (data) => `ended ${plural(data.sessions, 'session')} of their own`,
  'account.password_changed': 'changed their password',
  'account.password_refused': (data) => `gave a wrong current password for ${text(data.email)}${times(data)}`,
  'account.renamed': (data) => `changed their name to ${text(data.to)}`,
  'agent.created': (data) => `made the agent ${text(data.name)}`,
  'agent.updated': (data) => `changed the agent ${text(data.name)}`,
  'agent.settings.updated': (data) => `changed settings of the agent ${text(data.name)}`,
  'agent.inbound_prompt.updated': (data) => `changed the inbound prompt of ${text(data.name)}`,
  'agent.chat_prompt.updated': (data) => `changed the chat prompt of ${text(data.name)}`,
  'agent.widget.updated': (data) => `changed the website widget of ${text(data.name)}`,
  'agent.result_fields.updated': (data) => `changed what conversations of ${text(data.name)} shall yield`,
  'agent.card.derived': (data) => `derived the voice card of ${text(data.name)} anew`,
  'agent.draft_published': (data) => `published the draft of the agent ${text(data.name)}`,
  'agent.draft_discarded': (data) => `discarded the draft of the agent ${text(data.name)}`,
  'agent.restored': (data) => `restored version ${text(data.number)} of the agent ${text(data.name)}`,
  'agent.split_started': (data) =>
    `gave version ${text(data.number)} of the agent ${text(data.name)} ${text(data.percent)}% of its conversations`,
  'agent.split_changed': (data) =>
    `gave version ${text(data.number)} of the agent ${text(data.name)} ${text(data.percent)}% of its conversations instead of ${text(data.before)}%`,
  'agent.split_published': (data) =>
    `published version ${text(data.number)} of the agent ${text(data.name)}, which had ${text(data.percent)}%, to all conversations`,
  'agent.split_stopped': (data) =>
    `gave version ${text(data.number)} of the agent ${text(data.name)} no more conversations`,
  'agent.deleted': (data) => `deleted the agent ${text(data.name)}`,
  'agent.knowledge_changed': 'changed what an agent knows',
  'call.placed': (data) =>
    data.direction === 'INBOUND'
      ? `let ${data.humanPhoneNumber === undefined ? 'somebody' : text(data.humanPhoneNumber)} call by hand`
      : `placed a call${data.humanPhoneNumber === undefined ? '' : ` to ${text(data.humanPhoneNumber)}`} by hand`,
  'call.cancelled': 'cancelled a call',
  'call.ended': 'ended a call in progress',
  'call.transferred': (data) => `transferred a call in progress to ${text(data.to)}`,
  'call.listened': 'listened in on a call',
  'call.note.added': 'wrote a note on a call',
  'call.note.edited': 'changed a note on a call',
  'call.note.deleted': (data) => `deleted a note of ${text(data.author)} on a call`,
  'call.tag.added': (data) => `gave a conversation the tag ${text(data.tag)}`,
  'call.tag.removed': (data) => `took the tag ${text(data.tag)} from a conversation`,
  'call.reviewed': 'reviewed a conversation',
  'call.review_reopened': 'took back that a conversation was reviewed',
  'call.assigned': (data) =>
    data.to === null ? 'assigned a conversation to nobody' : `assigned a conversation to ${text(data.to)}`,
  'call.rated': (data) => `gave a conversation ${plural(data.stars, 'star')}`,
  'call.rating_removed': 'took back a rating of a conversation',
  'call.shared': 'made a link that shows a conversation',
  'call.share_revoked': (data) => `revoked a link of ${text(data.author)} to a conversation`,
  'conversation.deleted': 'deleted a conversation',
  'retention.swept': (data) =>
    `deleted ${plural(data.conversations, 'conversation')} and ${plural(data.recordings, 'recording')} that are kept no longer`,
  'view.created': (data) => `made the shared view ${text(data.name)}`,
  'view.updated': (data) => `changed the shared view ${text(data.name)}`,
  'view.deleted': (data) => `deleted the shared view ${text(data.name)}`,
  'campaign.created': (data) => `made the campaign ${text(data.name)}`,
  'campaign.updated': (data) => `changed the campaign ${text(data.name)}`,
  'campaign.deleted': (data) => `deleted the campaign ${text(data.name)}`,
  'campaign.guesses_confirmed': (data) => `let guessed numbers of the campaign ${text(data.name)} be called`,
  'campaign.start': (data) => `started the campaign ${text(data.name)}`,
  'campaign.pause': (data) =>
    typeof data.reason === 'string'
      ? `paused the campaign ${text(data.name)}: ${data.reason}`
      : `paused the campaign ${text(data.name)}`,
  'campaign.resume': (data) => `resumed the campaign ${text(data.name)}`,
  'campaign.cancel': (data) => `cancelled the campaign ${text(data.name)}`,
  'scenario.created': (data) => `made ${scenario(data)}`,
  'scenario.updated': (data) => `changed ${scenario(data)}`,
  'scenario.deleted': (data) => `deleted ${scenario(data)}`,
  'simulation.started': (data) => `tried the agent ${text(data.name)} with its scenarios`,
  'simulation.cancelled': 'cancelled a simulation',
  'document.uploaded': 'uploaded a document',
  'document.deleted': 'deleted a document',
  'export.conversations': 'downloaded conversations as a file',
  'export.campaign': 'downloaded the results of a campaign as a file',
  'export.opt_outs': 'downloaded the opt-out list as a file',
  'export.deliveries': 'downloaded the webhook log as a file',
  'integration.created': (data) => `made the integration ${text(data.name)}`,
  'integration.updated': (data) => `changed the integration ${text(data.name)}`,
  'integration.deleted': (data) => `deleted the integration ${text(data.name)}`,
  'integration.refreshed': (data) => `asked the server of the integration ${text(data.name)}`,
  'integration.appointment_cancelled': (data) => `cancelled an appointment of ${text(data.name)}`,
  'integration.tried': (data) => `tried ${text(data.tool)} of the integration ${text(data.name)}`,
  'key.created': (data) => `made the API key ${text(data.name)}`,
  'key.revoked': (data) => `revoked the API key ${text(data.name)}`,
  'key.restored': (data) => `lifted the revocation of the API key ${text(data.name)}`,
  'knowledge_base.created': (data) => `made the knowledge base ${text(data.name)}`,
  'knowledge_base.updated': 'changed a knowledge base',
  'knowledge_base.deleted': (data) => `deleted the knowledge base ${text(data.name)}`,
  'knowledge_base.agents_changed': 'changed which agents use a knowledge base',
  'member.added': (data) => `added ${text(data.email)} as ${text(data.role)}`,
  'member.removed': (data) => `removed ${text(data.email)}`,
  'member.renamed': (data) => `changed the name of ${text(data.email)}`,
  'member.role.updated': (data) =>
    `changed the role of ${text(data.email)} from ${text(data.from)} to ${text(data.to)}`,
  'member.password.reset': (data) => `gave ${text(data.email)} a new password`,
  'number.created': (data) => `added the number ${text(data.number)}`,
  'number.updated': (data) => `changed the number ${text(data.number)}`,
  'number.deleted': (data) => `removed the number ${text(data.number)}`,
  'opt_out.added': (data) =>
    data.callId === undefined
      ? `put ${text(data.number)} on the opt-out list`
      : `put ${text(data.number)} on the opt-out list, as the person asked on a call`,
  'opt_out.imported': (data) => `put ${plural(data.count, 'number')} on the opt-out list`,
  'opt_out.removed': (data) => `took ${text(data.number)} off the opt-out list`,
  'outbound_prompt.created': (data) => `made the outbound prompt ${text(data.title)}`,
  'outbound_prompt.updated': (data) => `changed the outbound prompt ${text(data.title)}`,
  'outbound_prompt.deleted': (data) => `deleted the outbound prompt ${text(data.title)}`,
  'outbound_prompt.card.derived': (data) =>
    `derived the card of the outbound prompt ${text(data.title)} anew`,
  'recording.fetched': 'opened a recording',
  'tag.created': 'made a tag',
  'tag.updated': 'changed a tag',
  'tag.deleted': 'deleted a tag',
  'webhook.resent': 'sent a webhook again',
  'webhook.secret.regenerated': 'replaced the webhook secret',
  'webhook.secret.replaced': 'set the webhook secret',
  'webhook.secret.shown': 'looked at the webhook secret',
  'webhook.test.sent': 'sent a test event',
  'webhook.url.updated': (data) =>
    data.to === null ? 'removed the webhook URL' : `set the webhook URL to ${text(data.to)}`,
  'workspace.created': 'made the workspace',
  'workspace.updated': 'changed the workspace',
  'workspace.settings.updated': 'changed the workspace settings',
};

/** The sentence for an event, to stand after who did it; undefined for an action without one. */
export function sentenceOf(event: Pick<AuditEvent, 'action' | 'data'>): string | undefined {
  const sentence = SENTENCES[event.action];
  return typeof sentence === 'function' ? sentence(event.data) : sentence;
}

function text(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : 'unknown';
}

/** The name of one that was made of a conversation may be words of the person, and is not in the log. */
function scenario(data: Data): string {
  return 'madeOf' in data ? 'a scenario that was made of a conversation' : `the scenario ${text(data.name)}`;
}

function from(data: Data): string {
  return typeof data.address === 'string' ? ` from ${data.address}` : '';
}

function times(data: Data): string {
  return typeof data.count === 'number' && data.count > 1 ? `, ${data.count} times` : '';
}

function plural(count: unknown, noun: string): string {
  return count === 1 ? `one ${noun}` : `${Number(count)} ${noun}s`;
}
