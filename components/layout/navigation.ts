import {
  AudioLines,
  ChartNoAxesColumn,
  BookOpen,
  Bot,
  Megaphone,
  PhoneCall,
  Settings,
  type LucideIcon,
} from 'lucide-react';
import type { Role } from '#lib/auth/actor.ts';

export type NavigationItem = {
  label: string;
  path: string;
  icon: LucideIcon;
  keywords: string[];
  /** Left out for viewers, who may read and nothing else. */
  isForMembers?: boolean;
};

/** The pages of a workspace, in the order of the sidebar. */
const NAVIGATION: readonly NavigationItem[] = [
  {
    label: 'Overview',
    path: 'overview',
    icon: ChartNoAxesColumn,
    keywords: ['figures', 'analytics', 'statistics', 'charts', 'dashboard', 'home'],
  },
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
    isForMembers: true,
  },
  {
    label: 'Campaigns',
    path: 'campaigns',
    icon: Megaphone,
    keywords: ['list', 'csv', 'bulk', 'batch', 'outbound'],
  },
  { label: 'Agents', path: 'agents', icon: Bot, keywords: ['prompts', 'voice', 'numbers'] },
  { label: 'Knowledge', path: 'knowledge', icon: BookOpen, keywords: ['documents', 'search'] },
  { label: 'Settings', path: 'settings', icon: Settings, keywords: ['workspace', 'time zone', 'limits'] },
];

/** The pages that are of use to somebody with this role. */
export function navigationFor(role: Role): readonly NavigationItem[] {
  return NAVIGATION.filter((item) => role !== 'viewer' || !item.isForMembers);
}

export type SettingsSection = { label: string; path: string; keywords: string[]; isForAdmins?: boolean };

/** The parts of the settings, in the order of their tabs; the one with the path '' is the settings' first page. */
export const SETTINGS_SECTIONS: readonly SettingsSection[] = [
  { path: '', label: 'Workspace', keywords: ['time zone', 'prices'] },
  { path: '/usage', label: 'Usage', keywords: ['minutes', 'limits'] },
  { path: '/keys', label: 'API keys', keywords: ['integration'] },
  {
    path: '/webhooks',
    label: 'Webhooks',
    keywords: ['deliveries', 'signing secret', 'test event', 'integration'],
  },
  {
    path: '/integrations',
    label: 'Integrations',
    keywords: ['tools', 'HTTP', 'OpenAPI', 'key'],
  },
  { path: '/members', label: 'Members', keywords: ['people', 'roles'] },
  { path: '/numbers', label: 'Numbers', keywords: ['phone'] },
  { path: '/calling', label: 'Calling', keywords: ['calling hours', 'law', 'recording', 'announcement'] },
  { path: '/opt-outs', label: 'Opt-outs', keywords: ['do not call', 'blocked numbers', 'law'] },
  {
    path: '/retention',
    label: 'Retention',
    keywords: ['delete', 'recordings', 'privacy', 'law', 'days', 'GDPR'],
  },
  { path: '/tags', label: 'Tags', keywords: ['analyzer'] },
  { path: '/account', label: 'Your account', keywords: ['password', 'sessions'] },
  { path: '/audit', label: 'Audit log', keywords: ['changes', 'history'], isForAdmins: true },
  {
    path: '/status',
    label: 'Status',
    keywords: ['health', 'database', 'queue', 'disk', 'uptime', 'version'],
    isForAdmins: true,
  },
];

export function workspacePath(workspaceId: string, path: string): string {
  return `/w/${encodeURIComponent(workspaceId)}/${path}`;
}

/** Settings, Integrations; or one of them. */
export function integrationsPath(workspaceId: string, integrationId?: string): string {
  const page = workspacePath(workspaceId, 'settings/integrations');
  return integrationId === undefined ? page : `${page}/${encodeURIComponent(integrationId)}`;
}

/** Settings, Webhooks; or one delivery there. */
export function webhooksPath(workspaceId: string, deliveryId?: string): string {
  const page = workspacePath(workspaceId, 'settings/webhooks');
  return deliveryId === undefined ? page : `${page}/${encodeURIComponent(deliveryId)}`;
}
