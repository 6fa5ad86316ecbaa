import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import type { ConsoleScope } from '../navigation/paths.ts'

/** A member in a choice: the id and the name. */
interface MemberOption {
  readonly value: string
  readonly label: string
}

/** Returns the members of a place; for an organization, those of its group too. */
export function useMembers({ kind, id }: ConsoleScope, { enabled = true } = {}): readonly MemberOption[] {
  const members = useQuery({
    queryKey: ['members', kind, id, 'names'],
    queryFn: async (): Promise<readonly { id: string; name: string; email: string }[]> =>
      kind === 'orgs'
        ? call('listOrgMembersV1', { params: { orgId: id }, query: { includeGroupAdmins: true } })
        : call('listGroupMembersV1', { params: { groupId: id } }),
    enabled,
    staleTime: 60_000,
    retry: false,
  })
  return (members.data ?? []).map(({ id: value, name, email }) => ({
    value,
    label: name === email ? name : `${name} (${email})`,
  }))
}
