import { Button, Checkbox, Code, Group, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, newIdempotencyKey } from '../../../api/client.ts'
import type { Provider, ProviderInput, SingleSignOn } from '../../../api/resources.ts'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { RadioChoice } from '../../../ui/radio-choice.tsx'
import { Section } from '../../../ui/section.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { textField } from '../../../ui/text-field.ts'
import { linesOf } from '../apps/lines.ts'
import { RoleMappings } from './role-mappings.tsx'

interface Props {
  readonly groupId: string
  readonly state: SingleSignOn
  /** Undefined for a new one. */
  readonly provider?: Provider
  readonly onDone: () => void
}

interface Fields extends Omit<ProviderInput, 'client_secret' | 'domains' | 'role_claim'> {
  readonly secret: string
  readonly isPublic: boolean
  readonly domains: string
  readonly role_claim: string
}

const blank: Fields = {
  name: '',
  issuer: '',
  client_id: '',
  secret: '',
  isPublic: false,
  domains: '',
  mode: 'optional',
  creates_accounts: true,
  trusts_emails: false,
  role_claim: '',
  roles: [],
}

function toFields(provider: Provider): Fields {
  const { name, issuer, client_id, mode, creates_accounts, trusts_emails, roles } = provider
  const same = { name, issuer, client_id, mode, creates_accounts, trusts_emails, roles }
  const [domains, role_claim] = [provider.domains.join('\n'), provider.role_claim ?? '']
  return { ...same, domains, role_claim, secret: '', isPublic: !provider.has_client_secret }
}

function toInput({ secret, isPublic, domains, role_claim, ...same }: Fields): ProviderInput {
  return {
    ...same,
    domains: linesOf(domains),
    role_claim: role_claim.trim() === '' ? null : role_claim.trim(),
    ...(isPublic ? { client_secret: null } : secret !== '' && { client_secret: secret }),
  }
}

/** An id that the browser chooses, because the provider needs the redirect URI before it is saved here. */
function newId(): string {
  return newIdempotencyKey().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export function ProviderForm({ groupId, state, provider, onDone }: Props) {
  const [id] = useState(() => provider?.id ?? newId())
  const [fields, setFields] = useState(provider ? toFields(provider) : blank)
  const set = (part: Partial<Fields>) => setFields((now) => ({ ...now, ...part }))
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: () => call('saveProvider', { params: { group_id: groupId, provider_id: id }, body: toInput(fields) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['single-sign-on', groupId] })
      onDone()
    },
  })

  return (
    <Section title={provider ? `Change ${provider.name}` : 'New identity provider'}>
      <Facts
        of={[
          ['Redirect URI', <Code key="redirect">{state.redirect_uri.replace('{id}', id)}</Code>],
          ['Back-channel logout URI', <Code key="logout">{state.logout_uri.replace('{id}', id)}</Code>],
        ]}
      />
      <SubmitForm onSubmit={() => saving.mutate()}>
        <Stack gap="lg" maw="44rem">
          <ClientFields
            fields={fields}
            set={set}
            error={saving.error}
            hasSecret={provider?.has_client_secret ?? false}
          />
          <RuleFields fields={fields} set={set} error={saving.error} />
          <TextInput
            label="Role claim"
            description="Name or path of the claim whose values grant roles, such as groups or realm_access.roles"
            {...textField(fields.role_claim, (role_claim) => set({ role_claim }), faultOf(saving.error, 'role_claim'))}
            spellCheck={false}
          />
          <RoleMappings groupId={groupId} mappings={fields.roles} onChange={(roles) => set({ roles })} />
          {saving.error && <RefusalAlert title="Not saved" error={saving.error} />}
          <Group>
            <Button type="submit" loading={saving.isPending}>
              Save
            </Button>
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </SubmitForm>
    </Section>
  )
}

interface FieldsProps {
  readonly fields: Fields
  readonly set: (part: Partial<Fields>) => void
  readonly error: Error | null
}

function ClientFields({ fields, set, error, hasSecret }: FieldsProps & { hasSecret: boolean }) {
  return (
    <>
      <TextInput
        label="Name"
        description="Shown on the sign-in page"
        {...textField(fields.name, (name) => set({ name }), faultOf(error, 'name'))}
        maxLength={100}
        required
        autoFocus
      />
      <TextInput
        label="Issuer"
        description="Exactly as in the provider’s metadata"
        placeholder="https://login.example.com/realms/main"
        {...textField(fields.issuer, (issuer) => set({ issuer }), faultOf(error, 'issuer'))}
        spellCheck={false}
        required
      />
      <TextInput
        label="Client ID"
        {...textField(fields.client_id, (client_id) => set({ client_id }), faultOf(error, 'client_id'))}
        spellCheck={false}
        required
      />
      <Checkbox
        label="Public client, without a secret"
        checked={fields.isPublic}
        onChange={(event) => set({ isPublic: event.currentTarget.checked })}
      />
      {!fields.isPublic && (
        <PasswordInput
          label="Client secret"
          description={hasSecret ? 'Leave empty to keep the present one' : undefined}
          {...textField(fields.secret, (secret) => set({ secret }), faultOf(error, 'client_secret'))}
          autoComplete="off"
          required={!hasSecret}
        />
      )}
      <Textarea
        label="E-mail domains"
        description="One per line. Each belongs to one provider of this server."
        placeholder="example.com"
        {...textField(fields.domains, (domains) => set({ domains }), faultOf(error, 'domains'))}
        autosize
        minRows={2}
        spellCheck={false}
        required
      />
    </>
  )
}

const modes = {
  optional: { name: 'Optional', meaning: 'Passwords and passkeys work too' },
  required: {
    name: 'Required',
    meaning: 'Other sign-ins end at once, except those of break-glass administrators',
  },
}

function RuleFields({ fields, set, error }: FieldsProps) {
  return (
    <>
      <RadioChoice
        label="Mode"
        value={fields.mode}
        onChange={(mode) => set({ mode })}
        error={faultOf(error, 'mode')}
        options={modes}
      />
      <Checkbox
        label="Create accounts for new users"
        description="At their first sign-in"
        checked={fields.creates_accounts}
        onChange={(event) => set({ creates_accounts: event.currentTarget.checked })}
      />
      <Checkbox
        label="Trust e-mail addresses that are not marked as verified"
        description="Only if users cannot change their address at the provider"
        checked={fields.trusts_emails}
        onChange={(event) => set({ trusts_emails: event.currentTarget.checked })}
      />
    </>
  )
}
