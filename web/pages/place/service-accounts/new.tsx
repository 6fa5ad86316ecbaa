import { Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { callData } from '../../../api/client.ts'
import { idIn, paramsOf } from '../../../api/place-params.ts'
import type { AuthType, ServiceAccount, ServiceAccountInput } from '../../../api/resources.ts'
import { CreationForm, useCreation } from '../../../components/creation.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { basePath } from '../../../navigation/base-path.ts'
import { type ConsoleScope, paths } from '../../../navigation/paths.ts'
import { ExpiryChoice, expiresIn, TokenLifetime } from '../../../ui/lifetimes.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { RadioChoice } from '../../../ui/radio-choice.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { textField } from '../../../ui/text-field.ts'
import { RoleChoice } from '../role-fields/role-choice.tsx'
import { authTypes } from './auth-types.ts'

export function NewServiceAccount() {
  const place = usePlace()
  const [created, setCreated] = useState<ServiceAccount>()
  if (created) return <Created place={place} account={created} />
  return (
    <Page title="New service account" lead="A credential for one program. Its role defines its permissions.">
      <Form place={place} onCreated={setCreated} />
    </Page>
  )
}

function Form({ place, onCreated }: { place: ConsoleScope; onCreated: (account: ServiceAccount) => void }) {
  const [name, setName] = useState('')
  const [authType, setAuthType] = useState<AuthType>('api_key')
  const [roleId, setRoleId] = useState('')
  const [jwksUrl, setJwksUrl] = useState('')
  const [days, setDays] = useState('')
  const [ttlSeconds, setTtlSeconds] = useState(3600)
  const creating = useCreation({
    create: (attributes: ServiceAccountInput, key) =>
      callData(idIn(place, 'createOrgServiceAccount', 'createGroupServiceAccount'), {
        params: paramsOf(place),
        body: { data: { type: 'service_account', attributes } },
        idempotencyKey: key,
      }),
    listKey: ['service-accounts', place.kind, place.id],
    onCreated,
  })

  function submit() {
    creating.mutate({
      name,
      auth_type: authType,
      role_id: roleId,
      ...expiresIn(days),
      ...(authType !== 'api_key' && { access_token_ttl_seconds: ttlSeconds }),
      ...(authType === 'oauth_private_key_jwt' && { jwks_url: jwksUrl }),
    })
  }

  const { error } = creating
  return (
    <CreationForm
      action="Create"
      cancel={paths.serviceAccounts(place)}
      failure="Account not created"
      saving={creating}
      onSubmit={submit}
    >
      <TextInput
        label="Name"
        description="Unique; name the program"
        {...textField(name, setName, faultOf(error, 'name'))}
        maxLength={255}
        required
        autoFocus
      />
      <RoleChoice
        place={place}
        description="The program’s permissions; at most your own"
        value={roleId}
        onChange={setRoleId}
        error={faultOf(error, 'role_id')}
      />
      <RadioChoice
        label="Authentication"
        value={authType}
        onChange={setAuthType}
        error={faultOf(error, 'auth_type')}
        options={authTypes}
      />
      {authType === 'oauth_private_key_jwt' && (
        <TextInput
          type="url"
          label="URL of its public keys"
          description="A JWKS document, over https"
          placeholder="https://ci.example/keys.json"
          {...textField(jwksUrl, setJwksUrl, faultOf(error, 'jwks_url'))}
          required
        />
      )}
      <ExpiryChoice value={days} onChange={setDays} error={faultOf(error, 'expires_at')} />
      {authType !== 'api_key' && (
        <TokenLifetime value={ttlSeconds} onChange={setTtlSeconds} error={faultOf(error, 'access_token_ttl_seconds')} />
      )}
    </CreationForm>
  )
}

function Created({ place, account }: { place: ConsoleScope; account: ServiceAccount }) {
  const { name, api_key, client_id, client_secret } = account.attributes
  return (
    <Page title={`${name} is created`}>
      <Stack maw="44rem">
        {api_key !== undefined && <SecretOnce label="API key" secret={api_key} />}
        {client_id !== undefined && (
          <Text>
            Client id: <Code>{client_id}</Code>
          </Text>
        )}
        {client_secret !== undefined && <SecretOnce label="Client secret" secret={client_secret} />}
        {api_key !== undefined && (
          <>
            <Text>The program sends it with each request:</Text>
            <Code
              block
            >{`curl -H "Authorization: token $GATEHOUSE_KEY" '${location.origin}${basePath}/rest/self?version=2024-10-15'`}</Code>
          </>
        )}
        <Group>
          <ButtonLink to={paths.serviceAccount(place, account.id)}>
            {api_key === undefined && client_secret === undefined ? 'Go to account' : 'I have saved it'}
          </ButtonLink>
        </Group>
      </Stack>
    </Page>
  )
}
