import { Button, Checkbox, Code, Group, Radio, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { type App, createApp, listScopes, type NewApp as NewAttributes, type Scope } from '../../../api/apps.ts'
import { CreationForm, useCreation } from '../../../creation.tsx'
import { paths } from '../../../paths.ts'
import { usePlace } from '../../../place.ts'
import { faultOf, RefusalAlert } from '../../../refusal-alert.tsx'
import { Page } from '../../../ui/page.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { TokenLifetime } from '../../../ui/token-lifetime.tsx'
import { type Kind, kinds } from './kinds.ts'
import { linesOf } from './lines.ts'

export function NewApp() {
  const { id: orgId } = usePlace()
  const [created, setCreated] = useState<App>()
  if (created) return <Created orgId={orgId} app={created} />
  return (
    <Page title="New app" lead="What it may ask for and how it gets in cannot be changed later.">
      <Form orgId={orgId} onCreated={setCreated} />
    </Page>
  )
}

const REQUIRED: Scope = 'org.read'

function Form({ orgId, onCreated }: { orgId: string; onCreated: (app: App) => void }) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('confidential')
  const [context, setContext] = useState<'tenant' | 'user'>('tenant')
  const [redirectUris, setRedirectUris] = useState('')
  const [scopes, setScopes] = useState<string[]>([REQUIRED])
  const [ttlSeconds, setTtlSeconds] = useState<number | string>(3600)
  const creating = useCreation({
    create: (attributes: NewAttributes, key) => createApp(orgId, attributes, key),
    listKey: ['apps', orgId],
    onCreated,
  })
  const isUnattended = kind === 'unattended'

  function submit() {
    creating.mutate({
      name,
      scopes: scopes as Scope[],
      access_token_ttl_seconds: Number(ttlSeconds),
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
      cancelTo={paths.apps(orgId)}
      isPending={creating.isPending}
      failure="The app was not created"
      error={error}
      onSubmit={submit}
    >
      <TextInput
        label="Name"
        description="People read it when they are asked to let the app in"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={faultOf(error, 'name')}
        maxLength={255}
        required
        autoFocus
      />
      <Radio.Group label="How it gets in" value={kind} onChange={(value) => setKind(value as Kind)}>
        <Stack gap="sm" mt="xs">
          {Object.entries(kinds).map(([value, { name: label, meaning }]) => (
            <Radio key={value} value={value} label={label} description={meaning} />
          ))}
        </Stack>
      </Radio.Group>
      {!isUnattended && (
        <>
          <Radio.Group
            label="In whose name it acts"
            value={context}
            onChange={(value) => setContext(value as 'tenant' | 'user')}
            error={faultOf(error, 'context')}
          >
            <Stack gap="sm" mt="xs">
              <Radio value="tenant" label="Its own" description="The audit log names the app" />
              <Radio value="user" label="That of who let it in" description="The audit log names the person" />
            </Stack>
          </Radio.Group>
          <Textarea
            label="Where people come back to"
            description="Redirect URIs, one a line: https, or http on a loopback host"
            placeholder="https://app.example/callback"
            value={redirectUris}
            onChange={(event) => setRedirectUris(event.currentTarget.value)}
            error={faultOf(error, 'redirect_uris')}
            autosize
            minRows={2}
            spellCheck={false}
            required
          />
        </>
      )}
      <ScopeChoice value={scopes} onChange={setScopes} error={faultOf(error, 'scopes')} />
      <TokenLifetime value={ttlSeconds} onChange={setTtlSeconds} error={faultOf(error, 'access_token_ttl_seconds')} />
    </CreationForm>
  )
}

interface ScopeChoiceProps {
  readonly value: string[]
  readonly onChange: (scopes: string[]) => void
  readonly error: string | undefined
}

function ScopeChoice({ value, onChange, error }: ScopeChoiceProps) {
  const scopes = useQuery({ queryKey: ['scopes'], queryFn: listScopes, staleTime: 600_000 })
  if (scopes.isError) {
    return <RefusalAlert title="The scopes cannot be read" error={scopes.error} onRetry={() => void scopes.refetch()} />
  }
  return (
    <Checkbox.Group
      label="What it may ask for"
      description="People who let it in must hold all of these themselves; org.read is always one of them"
      value={value}
      onChange={onChange}
      error={error}
    >
      {scopes.isPending && <Skeleton height={120} />}
      <Stack gap={6} mt="xs">
        {scopes.data
          ?.filter((scope) => scope.includes('.'))
          .map((scope) => (
            <Checkbox key={scope} value={scope} label={<Code>{scope}</Code>} disabled={scope === REQUIRED} />
          ))}
      </Stack>
    </Checkbox.Group>
  )
}

function Created({ orgId, app }: { orgId: string; app: App }) {
  const { name, client_id, client_secret } = app.attributes
  return (
    <Page title={`${name} is registered`}>
      <Stack maw="44rem">
        {client_id === undefined ? (
          <Text>
            It has no client of its own: each of its installs is one. Install it with its id, <Code>{app.id}</Code>.
          </Text>
        ) : (
          <Text>
            Client id: <Code>{client_id}</Code>
          </Text>
        )}
        {client_secret !== undefined && <SecretOnce label="Client secret" secret={client_secret} />}
        <Group>
          <Button component={Link} to={paths.app(orgId, app.id)}>
            {client_secret === undefined ? 'Go to the app' : 'I have kept it'}
          </Button>
        </Group>
      </Stack>
    </Page>
  )
}
