import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { call, callData, newIdempotencyKey } from '../../../api/client.ts'
import { addMember, findUser } from '../../../api/members.ts'
import type { User } from '../../../api/resources.ts'
import { useCreation } from '../../../components/creation.tsx'
import { DialogForm, FormDialog } from '../../../components/form-dialog.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { PersonIcon } from '../../../ui/icons.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { textField } from '../../../ui/text-field.ts'
import { RoleChoice } from '../role-fields/role-choice.tsx'

interface Props {
  readonly place: ConsoleScope
  /** The group that manages the users. */
  readonly groupId: string
  /** Label of the button; an invitation asks for a name at once. */
  readonly action?: 'Add member' | 'Invite person'
}

/** Thrown if the address has no account and the person no name yet. */
class NoAccount extends Error {}

interface MemberInput {
  readonly email: string
  readonly roleId: string
  /** Undefined until the address turned out to have no account. */
  readonly name: string | undefined
}

/** Adds a person by e-mail address: with an account at once, otherwise by an invitation. */
export function AddMember({ action = 'Add member', ...props }: Props) {
  const firstName = action === 'Invite person' ? '' : undefined
  return (
    <FormDialog action={action} title={action} variant="filled">
      {(close) => <Form {...props} firstName={firstName} onDone={close} />}
    </FormDialog>
  )
}

/** Runs each step once: a retry after a refusal resumes at the refused step. */
function useAdding({ place, groupId }: Omit<Props, 'action'>, onAdded: () => void) {
  const queries = useQueryClient()
  const [invited, setInvited] = useState<User>()
  const isMember = useRef(false)

  async function invite(email: string, name: string, key: string): Promise<User> {
    const user = await callData('createUser', {
      params: { group_id: groupId },
      body: { data: { type: 'user', attributes: { name, email } } },
      idempotencyKey: key,
    })
    setInvited(user)
    void queries.invalidateQueries({ queryKey: ['users', groupId] })
    return user
  }

  const adding = useCreation({
    create: async ({ email, roleId, name }: MemberInput, key) => {
      const existing = invited ?? (await findUser(groupId, email))
      if (existing === undefined && name === undefined) throw new NoAccount()
      const user = existing ?? (await invite(email, name ?? '', key))
      if (!isMember.current) await addMember(place, { userId: user.id, roleId }, newIdempotencyKey())
      isMember.current = true
      const hasPassword = existing !== undefined && invited === undefined
      const params = { group_id: groupId, user_id: user.id }
      return hasPassword ? undefined : call('createPasswordReset', { params })
    },
    listKey: ['members', place.kind, place.id],
    onCreated: (link) => {
      if (link === undefined) onAdded()
    },
  })
  return { adding, invited }
}

interface FormProps extends Omit<Props, 'action'> {
  readonly firstName: string | undefined
  readonly onDone: () => void
}

function Form({ firstName, onDone, ...props }: FormProps) {
  const [email, setEmail] = useState('')
  const [roleId, setRoleId] = useState('')
  const [name, setName] = useState(firstName)
  const { adding, invited } = useAdding(props, onDone)
  const { error, data: link } = adding
  const isUnknown = error instanceof NoAccount
  const isInvitation = name !== undefined || isUnknown
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
      action={isInvitation ? 'Invite person' : 'Add member'}
      failure={invited ? 'User created, but the invitation is not complete' : 'Member not added'}
      saving={{ ...adding, error: isUnknown ? null : error }}
      onSubmit={() =>
        adding.mutate({ email: email.trim(), roleId, name: isInvitation ? (name ?? '').trim() : undefined })
      }
      onCancel={onDone}
    >
      <EmailField
        groupId={props.groupId}
        value={email}
        onChange={setEmail}
        error={faultOf(error, 'email') ?? faultOf(error, 'user')}
        isDisabled={invited !== undefined}
      />
      {isInvitation && (
        <>
          {firstName === undefined && (
            <Alert icon={<PersonIcon />} title="No account has this address" role="status">
              Enter a name to invite the person. You get a one-time link for setting a password.
            </Alert>
          )}
          <TextInput
            label="Name"
            {...textField(name ?? '', setName, faultOf(error, 'name'))}
            maxLength={100}
            disabled={invited !== undefined}
            required
            autoFocus
          />
        </>
      )}
      <RoleChoice
        place={props.place}
        description={
          props.place.kind === 'groups'
            ? 'Applies in all organizations of the group; at most your own permissions'
            : 'The member’s permissions; at most your own'
        }
        value={roleId}
        onChange={setRoleId}
        error={faultOf(error, 'role')}
      />
    </DialogForm>
  )
}

interface EmailProps {
  readonly groupId: string
  readonly value: string
  readonly onChange: (email: string) => void
  readonly error: string | undefined
  readonly isDisabled: boolean
}

/** Suggests the users of the group. Without permission to list them, the server refuses when the form is submitted. */
function EmailField({ groupId, value, onChange, error, isDisabled }: EmailProps) {
  const suggestionsId = useId()
  const users = useQuery({
    queryKey: ['users', groupId, 'suggested'],
    queryFn: () => call('listUsers', { params: { group_id: groupId }, query: { limit: 100 } }),
  })
  return (
    <>
      <TextInput
        type="email"
        label="E-mail"
        description="The person signs in with it"
        list={suggestionsId}
        {...textField(value, onChange, error)}
        maxLength={254}
        disabled={isDisabled}
        required
        data-autofocus
      />
      <datalist id={suggestionsId}>
        {users.data?.data.map(({ id, attributes }) => (
          <option key={id} value={attributes.email}>
            {attributes.name}
          </option>
        ))}
      </datalist>
    </>
  )
}
