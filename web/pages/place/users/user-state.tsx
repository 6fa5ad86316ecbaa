import type { User } from '../../../api/resources.ts'
import { StateBadge } from '../../../ui/state-badge.tsx'

export function UserState({ user: { attributes } }: { user: User }) {
  if (attributes.disabled) return <StateBadge tone="bad">disabled</StateBadge>
  return <StateBadge tone="good">active</StateBadge>
}
