import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { callData } from '../../../api/client.ts'
import { ciRoleId } from '../../../api/permissions.ts'
import { useCreation } from '../../../components/creation.tsx'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { paths } from '../../../navigation/paths.ts'
import { ExpiryChoice, expiresIn } from '../../../ui/lifetimes.tsx'
import { PageLink } from '../../../ui/links.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { textField } from '../../../ui/text-field.ts'

/** Creates a service account with the role CI, and shows its key once. */
export function CiKey({ orgId }: { orgId: string }) {
  const [name, setName] = useState('ci')
  const [days, setDays] = useState('365')
  const place = { kind: 'orgs', id: orgId } as const
  const creating = useCreation({
    create: (attributes: { name: string; expires_at?: string }, key) =>
      callData('createOrgServiceAccount', {
        params: { org_id: orgId },
        body: {
          data: {
            type: 'service_account',
            attributes: { ...attributes, auth_type: 'api_key' as const, role_id: ciRoleId },
          },
        },
        idempotencyKey: key,
      }),
    listKey: ['service-accounts', 'orgs', orgId],
    onCreated: () => undefined,
  })
  const { data: account, error } = creating
  if (account) {
    return (
      <Stack gap="sm">
        <SecretOnce label="API key" secret={account.attributes.api_key ?? ''} />
        <Text size="sm">
          Service account:{' '}
          <PageLink to={paths.serviceAccount(place, account.id)} size="sm" underline="always">
            {account.attributes.name}
          </PageLink>
          . It can test packages and monitor projects, nothing else.
        </Text>
      </Stack>
    )
  }
  return (
    <SubmitForm onSubmit={() => creating.mutate({ name: name.trim(), ...expiresIn(days) })}>
      <Stack gap="sm">
        <Text size="sm">The service account gets the role CI: it can test packages and monitor projects.</Text>
        <Group align="flex-end">
          <TextInput
            label="Name"
            description="Unique; name the repository or pipeline"
            {...textField(name, setName, faultOf(error, 'name'))}
            maxLength={255}
            required
            flex="1 1 16rem"
          />
          <ExpiryChoice value={days} onChange={setDays} error={faultOf(error, 'expires_at')} />
        </Group>
        {error && <RefusalAlert title="Key not created" error={error} />}
        <Group>
          <Button type="submit" loading={creating.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  )
}
