import { Anchor, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { callData } from '../../../api/client.ts'
import { ciRoleId } from '../../../api/permissions.ts'
import { useCreation } from '../../../components/creation.tsx'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { basePath } from '../../../navigation/base-path.ts'
import { paths, serverPaths } from '../../../navigation/paths.ts'
import { useSearchParams } from '../../../router/react.tsx'
import { CopyableCode } from '../../../ui/copyable-code.tsx'
import { ExpiryChoice, expiresIn } from '../../../ui/expiry-choice.tsx'
import { PageLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { Section } from '../../../ui/section.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { textField } from '../../../ui/text-field.ts'
import { recipes, systems } from './recipes.ts'

export function CiPage() {
  const { id: orgId } = usePlace()
  const [parameters, setParameters] = useSearchParams()
  const system = systems.find((name) => name === parameters.get('system')) ?? systems[0]!
  const { setUp, files } = recipes[system]
  const url = `${location.origin}${basePath}`
  return (
    <Page title="CI recipes" lead="Test every change in your pipeline, with a key of its own.">
      <Segments
        aria-label="CI system"
        value={system}
        onChange={(value) => setParameters({ system: value }, { replace: true })}
        options={systems.map((value) => ({ value, label: recipes[value].name }))}
      />
      <Stack maw="56rem">
        <Section title="1. Create a key">
          <Key orgId={orgId} />
        </Section>
        <Section title="2. Store it in the CI system">
          <List size="sm" spacing={6} className="breakable">
            {setUp(url).map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </Section>
        <Section title="3. Add to the repository">
          {files(url).map(({ path, text }) => (
            <CopyableCode key={path} label={path}>
              {text}
            </CopyableCode>
          ))}
          <Text size="sm">
            Reports, exit codes and pre-commit:{' '}
            <Anchor href={serverPaths.ciGuide} target="_blank" underline="always" size="sm">
              CI guide
            </Anchor>
            .
          </Text>
        </Section>
      </Stack>
    </Page>
  )
}

/** Creates a service account with the role CI, and shows its key once. */
function Key({ orgId }: { orgId: string }) {
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
        <Group align="flex-start">
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
