import { Button, Code, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { callData } from '../../../api/client.ts'
import type { App, AppInput, Scope } from '../../../api/resources.ts'
import { CreationForm, useCreation } from '../../../components/creation.tsx'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { ExpiryChoice, expiresIn, TokenLifetime } from '../../../ui/lifetimes.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { RadioChoice } from '../../../ui/radio-choice.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { textField } from '../../../ui/text-field.ts'
import { InstallCredentials, useInstalling } from './install-credentials.tsx'
import { type Kind, kinds } from './kinds.ts'
import { linesOf } from './lines.ts'
import { REQUIRED_SCOPE, ScopeChoice } from './scope-choice.tsx'
import { AppUsage } from './usage.tsx'

const contexts = {
  tenant: { name: 'Itself', meaning: 'The audit log names the app' },
  user: { name: 'The authorizing user', meaning: 'The audit log names the person' },
}

export function NewApp() {
  const { id: orgId } = usePlace()
  const [created, setCreated] = useState<App>()
  if (created) return <Created orgId={orgId} app={created} />
  return (
    <Page title="New app" lead="Scopes and type cannot be changed later.">
      <Form orgId={orgId} onCreated={setCreated} />
    </Page>
  )
}

function Form({ orgId, onCreated }: { orgId: string; onCreated: (app: App) => void }) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('confidential')
  const [context, setContext] = useState<keyof typeof contexts>('tenant')
  const [redirectUris, setRedirectUris] = useState('')
  const [scopes, setScopes] = useState<Scope[]>([REQUIRED_SCOPE])
  const [days, setDays] = useState('')
  const [ttlSeconds, setTtlSeconds] = useState(3600)
  const creating = useCreation({
    create: (attributes: AppInput, key) =>
      callData('createApp', {
        params: { org_id: orgId },
        body: { data: { type: 'app', attributes } },
        idempotencyKey: key,
      }),
    listKey: ['apps', orgId],
    onCreated,
  })
  const isUnattended = kind === 'unattended'

  function submit() {
    creating.mutate({
      name,
      scopes,
      access_token_ttl_seconds: ttlSeconds,
      ...(kind === 'confidential' && expiresIn(days)),
      ...(isUnattended
        ? { grant_type: 'client_credentials' as const }
        : { context, redirect_uris: linesOf(redirectUris) }),
      ...(kind === 'public' && { is_confidential: false }),
    })
  }

  const { error } = creating
  return (
    <CreationForm
      action="Create"
      cancel={paths.apps(orgId)}
      failure="App not created"
      saving={creating}
      onSubmit={submit}
    >
      <TextInput
        label="Name"
        description="Shown to users on the consent page"
        {...textField(name, setName, faultOf(error, 'name'))}
        maxLength={255}
        required
        autoFocus
      />
      <RadioChoice label="Type" value={kind} onChange={setKind} options={kinds} />
      {!isUnattended && (
        <>
          <RadioChoice
            label="Acts as"
            value={context}
            onChange={setContext}
            error={faultOf(error, 'context')}
            options={contexts}
          />
          <Textarea
            label="Redirect URIs"
            description="One per line: https, or http on a loopback host"
            placeholder="https://app.example/callback"
            {...textField(redirectUris, setRedirectUris, faultOf(error, 'redirect_uris'))}
            autosize
            minRows={2}
            spellCheck={false}
            required
          />
        </>
      )}
      <ScopeChoice value={scopes} onChange={setScopes} error={faultOf(error, 'scopes')} />
      {kind === 'confidential' && (
        <ExpiryChoice
          label="Client secret expires in"
          value={days}
          onChange={setDays}
          error={faultOf(error, 'expires_at')}
        />
      )}
      <TokenLifetime value={ttlSeconds} onChange={setTtlSeconds} error={faultOf(error, 'access_token_ttl_seconds')} />
    </CreationForm>
  )
}

function Created({ orgId, app }: { orgId: string; app: App }) {
  const { name, client_id, client_secret } = app.attributes
  return (
    <Page title={`${name} is registered`}>
      <Stack maw="44rem">
        {client_id === undefined ? (
          <Installing orgId={orgId} appId={app.id} />
        ) : (
          <>
            <Text>
              Client id: <Code>{client_id}</Code>
            </Text>
            {client_secret !== undefined && <SecretOnce label="Client secret" secret={client_secret} />}
            <AppUsage app={app} />
          </>
        )}
        <Group>
          <ButtonLink to={paths.app(orgId, app.id)}>
            {client_secret === undefined ? 'Go to app' : 'I have saved it'}
          </ButtonLink>
        </Group>
      </Stack>
    </Page>
  )
}

/** Installs an unattended app in the organization that created it. */
function Installing({ orgId, appId }: { orgId: string; appId: string }) {
  const installing = useInstalling({ kind: 'orgs', id: orgId })
  if (installing.data) return <InstallCredentials install={installing.data} />
  return (
    <Stack gap="sm">
      <Text>Each install has its own client id and secret.</Text>
      {installing.error && <RefusalAlert title="App not installed" error={installing.error} />}
      <Group>
        <Button loading={installing.isPending} onClick={() => installing.mutate(appId)}>
          Install here
        </Button>
      </Group>
      <Text size="sm">
        To install it in another organization or in a group, use its id there: <Code>{appId}</Code>
      </Text>
    </Stack>
  )
}
