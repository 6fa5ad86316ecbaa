import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import type { NewOrgInput } from '../../../api/resources.ts'
import { useCreation } from '../../../components/creation.tsx'
import { DialogForm, FormDialog } from '../../../components/form-dialog.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { usePlaces } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useNavigate } from '../../../router/react.tsx'
import { textField } from '../../../ui/text-field.ts'

export function NewOrg({ groupId }: { groupId: string }) {
  return (
    <FormDialog action="New organization" title="New organization" variant="filled">
      {(close) => <Form groupId={groupId} onDone={close} />}
    </FormDialog>
  )
}

function Form({ groupId, onDone }: { groupId: string; onDone: () => void }) {
  const [name, setName] = useState('')
  const [membersOf, setMembersOf] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const siblings = usePlaces().data?.orgs.filter(({ attributes }) => attributes.group_id === groupId) ?? []
  const source = membersOf === '' ? {} : { sourceOrgId: membersOf, copyMembers: true }
  const creating = useCreation({
    create: (body: NewOrgInput, idempotencyKey) => call('createOrgV1', { body, idempotencyKey }),
    listKey: ['orgs-of-group', groupId],
    onCreated: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['places'] })
      onDone()
      navigate(paths.projects(id))
    },
  })
  return (
    <DialogForm
      action="Create organization"
      failure="Organization not created"
      saving={creating}
      onSubmit={() => creating.mutate({ name: name.trim(), groupId, ...source })}
      onCancel={onDone}
    >
      <TextInput
        label="Name"
        description="Can be changed later; the slug made from it stays"
        {...textField(name, setName, faultOf(creating.error, 'name'))}
        maxLength={60}
        required
        data-autofocus
      />
      <NativeSelect
        label="Copy members from"
        description="With their roles; members of the group have access anyway"
        {...textField(
          membersOf,
          setMembersOf,
          faultOf(creating.error, 'sourceOrgId') ?? faultOf(creating.error, 'copyMembers'),
        )}
        data={[
          { value: '', label: 'No organization' },
          ...siblings.map(({ id, attributes }) => ({ value: id, label: attributes.name })),
        ]}
      />
    </DialogForm>
  )
}
