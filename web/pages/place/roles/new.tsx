import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { callData } from '../../../api/client.ts'
import type { RoleInput } from '../../../api/resources.ts'
import { CreationForm, useCreation } from '../../../components/creation.tsx'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useNavigate, useSearchParams } from '../../../router/react.tsx'
import { Page } from '../../../ui/page.tsx'
import { RoleFields } from './fields.tsx'
import { useRoleChanged } from './use-role-changed.ts'

const emptyRole: RoleInput = { name: '', description: '', permissions: [] }

/** A form for a new role. The address may name a role to copy permissions from. */
export function NewRole() {
  const { id: groupId } = usePlace()
  const [parameters] = useSearchParams()
  const from = parameters.get('from') ?? ''
  const copied = useQuery({
    queryKey: ['role', groupId, from],
    queryFn: () => callData('getRole', { params: { group_id: groupId, role_id: from } }),
    enabled: from !== '',
  })
  const isReady = from === '' || copied.isSuccess
  return (
    <Page title="New role" lead="You can give at most the permissions that you hold yourself.">
      <ReadingAlert title="Could not load the role to copy" reading={copied} />
      {!isReady && !copied.isError && <Skeleton height={180} role="status" aria-label="Loading" />}
      {isReady && (
        <Form groupId={groupId} initial={{ ...emptyRole, permissions: copied.data?.attributes.permissions ?? [] }} />
      )}
    </Page>
  )
}

function Form({ groupId, initial }: { groupId: string; initial: RoleInput }) {
  const [input, setInput] = useState(initial)
  const change = useCallback((part: Partial<RoleInput>) => setInput((now) => ({ ...now, ...part })), [])
  const navigate = useNavigate()
  const roleChanged = useRoleChanged(groupId)
  const creating = useCreation({
    create: (attributes: RoleInput, key) =>
      callData('createRole', {
        params: { group_id: groupId },
        body: { data: { type: 'role', attributes } },
        idempotencyKey: key,
      }),
    listKey: ['roles-page', groupId],
    onCreated: ({ id }) => {
      void roleChanged()
      navigate(paths.role(groupId, id))
    },
  })
  return (
    <CreationForm
      action="Create role"
      cancel={paths.roles(groupId)}
      failure="Role not created"
      saving={creating}
      onSubmit={() => creating.mutate(input)}
    >
      <RoleFields input={input} onChange={change} error={creating.error} />
    </CreationForm>
  )
}
