import { Radio, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { callData } from '../../../api/client.ts'
import type { IntegrationInput, Kind } from '../../../api/resources.ts'
import { CreationForm, useCreation } from '../../../components/creation.tsx'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useNavigate } from '../../../router/react.tsx'
import { Page } from '../../../ui/page.tsx'
import { textField } from '../../../ui/text-field.ts'
import { CredentialFields, type CredentialsWanted, noCredentials, toCredentials } from './credential-fields.tsx'
import { kinds } from './kinds.ts'

export function NewIntegration() {
  const { id: orgId } = usePlace()
  const navigate = useNavigate()
  return (
    <Page title="Connect source" lead="Repositories are only read. Nothing is written or executed.">
      <IntegrationForm
        orgId={orgId}
        onConnected={(id) => navigate(paths.integration(orgId, id))}
        cancel={paths.integrations(orgId)}
      />
    </Page>
  )
}

interface Props {
  readonly orgId: string
  readonly onConnected: (id: string) => void
  readonly cancel: string | (() => void)
}

export function IntegrationForm({ orgId, onConnected, cancel }: Props) {
  const [kind, setKind] = useState<Kind>('github')
  const [name, setName] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const [credentials, setCredentials] = useState<CredentialsWanted>(noCredentials)
  const creating = useCreation({
    create: (attributes: IntegrationInput, key) =>
      callData('createIntegration', {
        params: { org_id: orgId },
        body: { data: { type: 'integration', attributes } },
        idempotencyKey: key,
      }),
    listKey: ['integrations', orgId],
    onCreated: ({ id }) => onConnected(id),
  })
  const { error } = creating
  const chosen = kinds[kind]

  function choose(next: Kind) {
    setKind(next)
    setCredentials(noCredentials)
  }

  function submit() {
    const newCredentials = toCredentials(credentials)
    creating.mutate({
      kind,
      name: name.trim() === '' ? chosen.name : name,
      ...(chosen.baseUrl !== 'none' && baseUrl.trim() !== '' && { base_url: baseUrl.trim() }),
      ...(newCredentials && { credentials: newCredentials }),
    })
  }

  return (
    <CreationForm action="Connect" cancel={cancel} failure="Source not connected" saving={creating} onSubmit={submit}>
      <Radio.Group
        label="Kind"
        value={kind}
        onChange={(value) => choose(value as Kind)}
        error={faultOf(error, 'kind')}
        required
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mt="xs">
          {Object.entries(kinds).map(([value, { name: label, meaning }]) => (
            <Radio key={value} value={value} label={label} description={meaning} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <TextInput
        label="Name"
        description="Unique; empty for the name of the kind"
        placeholder={chosen.name}
        {...textField(name, setName, faultOf(error, 'name'))}
        maxLength={100}
      />
      {chosen.baseUrl !== 'none' && (
        <TextInput
          type="url"
          label="Address"
          description={addressWords(kind)}
          placeholder={chosen.baseUrlHint ?? ''}
          {...textField(baseUrl, setBaseUrl, faultOf(error, 'base_url'))}
          required={chosen.baseUrl === 'required'}
        />
      )}
      <CredentialFields
        kind={chosen}
        credentials={credentials}
        onChange={(part) => setCredentials((now) => ({ ...now, ...part }))}
        error={error}
      />
    </CreationForm>
  )
}

function addressWords(kind: Kind): string {
  if (kind === 'git') return 'Credentials are sent only to repositories below this address'
  return kinds[kind].baseUrl === 'required' ? 'Of the server' : 'Only for a server other than the public one'
}
