import { AudioLines, BookOpen, Bot, PhoneCall, Settings, Webhook, type LucideIcon } from 'lucide-react';

export type NavigationItem = { label: string; path: string; icon: LucideIcon; keywords: string[] };

/** The pages of a workspace, in the order of the sidebar. */
export const NAVIGATION: readonly NavigationItem[] = [
  {
    label: 'Conversations',
    path: 'conversations',
    icon: AudioLines,
    keywords: ['calls', 'transcripts', 'recordings'],
  },
  {
    label: 'Place a call',
    path: 'calls/new',
    icon: PhoneCall,
    keywords: ['outbound', 'dial', 'simulate', 'inbound'],
  },
  { label: 'Agents', path: 'agents', icon: Bot, keywords: ['prompts', 'voice', 'numbers'] },
  { label: 'Knowledge', path: 'knowledge', icon: BookOpen, keywords: ['documents', 'search'] },
  { label: 'Webhooks', path: 'webhooks', icon: Webhook, keywords: ['deliveries', 'secret', 'events'] },
  {
    label: 'Settings',
    path: 'settings',
    icon: Settings,
    keywords: ['api keys', 'members', 'usage', 'limits'],
  },
];

export function workspacePath(workspaceId: string, path: string): string {
  return `/w/${encodeURIComponent(workspaceId)}/${path}`;
}
