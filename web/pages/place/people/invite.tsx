import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, callData, newIdempotencyKey } from '../../../api/client.ts'
import { addMember } from '../../../api/members.ts'
import type { User } from '../../../api/resources.ts'
import { useCreation } from '../../../components/creation.tsx'
import { DialogForm, FormDialog } from '../../../components/form-dialog.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { textField } from '../../../ui/text-field.ts'
import { RoleChoice } from '../role-fields/role-choice.tsx'

/** Creates a user with a role in a group, and a link for setting a password. */
export function Invite({ groupId }: { groupId: string }) {
  return (
    <FormDialog action="Invite person" title="Invite person" variant="filled">
      {(close) => <InviteForm place={{ kind: 'groups', id: groupId }} onDone={close} />}
    </FormDialog>
  )
}

interface Invitation {
  readonly name: string
  readonly email: string
  readonly roleId: string
}

/** Runs the three steps once each: a retry after a refusal resumes at the refused step. */
function useInvitation(place: ConsoleScope) {
  const queries = useQueryClient()
  const [user, setUser] = useState<User>()
  const isMember = useRef(false)
  const inviting = useCreation({
    create: async ({ name, email, roleId }: Invitation, key) => {
      const invited =
        user ??
        (await callData('createUser', {
          params: { group_id: place.id },
          body: { data: { type: 'user', attributes: { name, email } } },
          idempotencyKey: key,
        }))
      setUser(invited)
      void queries.invalidateQueries({ queryKey: ['users', place.id] })
      if (!isMember.current) await addMember(place, { userId: invited.id, roleId }, newIdempotencyKey())
      isMember.current = true
      return call('createPasswordReset', { params: { group_id: place.id, user_id: invited.id } })
    },
    listKey: ['members', place.kind, place.id],
    onCreated: () => undefined,
  })
  return { inviting, user }
}

function InviteForm({ place, onDone }: { readonly place: ConsoleScope; readonly onDone: () => void }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [roleId, setRoleId] = useState('')
  const { inviting, user } = useInvitation(place)
  const { error, data: link } = inviting
  if (link) {
    return (
      <Stack>
        <SecretOnce label="One-time link" secret={link.url} />
        <Text size="sm">
          Send it to {name} in private, who sets a password with it. It works once, until{' '}
          <RelativeTime time={link.expires_at} />.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    )
  }
  return (
    <DialogForm
      action="Invite person"
      failure={user ? 'User created, but the invitation is not complete' : 'Person not invited'}
      saving={inviting}
      onSubmit={() => inviting.mutate({ name: name.trim(), email: email.trim(), roleId })}
      onCancel={onDone}
    >
      <TextInput
        label="Name"
        {...textField(name, setName, faultOf(error, 'name'))}
        maxLength={100}
        disabled={user !== undefined}
        required
        data-autofocus
      />
      <TextInput
        type="email"
        label="E-mail"
        description="The person signs in with it"
        {...textField(email, setEmail, faultOf(error, 'email'))}
        maxLength={254}
        disabled={user !== undefined}
        required
      />
      <RoleChoice
        place={place}
        description="Applies in all organizations of the group; at most your own permissions"
        value={roleId}
        onChange={setRoleId}
        error={faultOf(error, 'role')}
      />
    </DialogForm>
  )
}
