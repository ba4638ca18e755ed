import type { User } from '../resources.ts';
import { superAdminAccess } from './roles.ts';

type NamedUser = Pick<User, 'full_name' | 'email'> & Partial<User>;

/**
 * Users of the first portal that demos and tests know by name: similar names, two users with the
 * same name, names that would ping a channel, forge a link or break a layout if not escaped, the
 * second of two super administrators, and the approver of the playground's Slack.
 */
export const namedUsers: readonly NamedUser[] = [
  { full_name: 'Ana Silva', email: 'ana.silva@example.com', is_confirmed: true, is_enabled: true },
  {
    full_name: 'Joana Prado',
    email: 'joana.prado@example.com',
    is_confirmed: true,
    is_enabled: true,
  },
  {
    full_name: 'Mariana Costa',
    email: 'mariana.costa@example.com',
    is_confirmed: true,
    is_enabled: false,
  },
  { full_name: 'Kim Lee', email: 'kim.lee@example.com', is_confirmed: true, is_enabled: true },
  {
    full_name: 'Kim Lee',
    email: 'kim.lee.contractor@example.com',
    is_confirmed: true,
    is_enabled: true,
  },
  { full_name: '<!channel> Everyone', email: 'everyone@example.com' },
  { full_name: 'Brook & Rivers <b>Ltd</b>', email: 'brook.rivers@example.com' },
  { full_name: '<https://phish.example|Reset your password>', email: 'link@example.com' },
  { full_name: '*Bold* _Slant_ `Code` ~FaultedRequest~', email: 'markup@example.com' },
  {
    full_name: 'Zoë Fischer 🚀👩‍🚀',
    email: 'zoe.fischer@example.com',
    is_confirmed: true,
    is_enabled: true,
    access: superAdminAccess,
  },
  { full_name: 'נועה כהן', email: 'noa@example.com' },
  { full_name: 'ليلى حداد', email: 'layla@example.com' },
  {
    full_name: `Wolfeschlegel${'steinhausen'.repeat(27)}`.slice(0, 300),
    email: 'long@example.com',
  },
  {
    // The approver of the playground's Slack, who can't decide requests about himself.
    full_name: 'Ben Carter',
    email: 'ben@harbor.example',
    is_confirmed: true,
    is_enabled: true,
  },
];
