import { Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import type { IntegrationChange } from '../../../api/resources.ts'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { SaveForm } from '../../../components/save-form.tsx'
import { Section } from '../../../ui/section.tsx'
import { textField } from '../../../ui/text-field.ts'
import { CredentialFields, type CredentialsWanted, noCredentials, toCredentials } from './credential-fields.tsx'
import { kinds } from './kinds.ts'
import type { OfIntegration } from './of-integration.ts'

export function ChangeIntegration(of: OfIntegration) {
  const kind = kinds[of.integration.attributes.kind]
  return (
    <>
      <Naming {...of} />
      {kind.credentials.length > 0 && <NewCredentials {...of} />}
    </>
  )
}

function useChange({ orgId, integration }: OfIntegration) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (attributes: IntegrationChange) =>
      call('updateIntegration', {
        params: { org_id: orgId, integration_id: integration.id },
        body: { data: { id: integration.id, type: 'integration', attributes } },
      }),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: ['integrations', orgId] })
      await queries.invalidateQueries({ queryKey: ['integration', orgId, integration.id] })
    },
  })
}

function Naming(of: OfIntegration) {
  const { attributes } = of.integration
  const kind = kinds[attributes.kind]
  const [name, setName] = useState(attributes.name)
  const [baseUrl, setBaseUrl] = useState(attributes.base_url ?? '')
  const changing = useChange(of)
  const isSame = name === attributes.name && baseUrl === (attributes.base_url ?? '')

  function submit() {
    const isElsewhere = baseUrl.trim() !== (attributes.base_url ?? '')
    changing.mutate({ name, ...(isElsewhere && { base_url: baseUrl.trim() === '' ? null : baseUrl.trim() }) })
  }

  return (
    <Section title="Change">
      <SaveForm action="Save" saving={changing} isDisabled={isSame} maw="34rem" onSubmit={submit}>
        <TextInput
          label="Name"
          {...textField(name, setName, faultOf(changing.error, 'name'))}
          maxLength={100}
          required
        />
        {kind.baseUrl !== 'none' && (
          <TextInput
            type="url"
            label="Address"
            description="Enter the credentials again if the address changes"
            placeholder={kind.baseUrlHint ?? ''}
            {...textField(baseUrl, setBaseUrl, faultOf(changing.error, 'base_url'))}
            required={kind.baseUrl === 'required'}
          />
        )}
      </SaveForm>
    </Section>
  )
}

function NewCredentials(of: OfIntegration) {
  const { attributes } = of.integration
  const [first = 'token'] = kinds[attributes.kind].credentials
  const [credentials, setWanted] = useState<CredentialsWanted>({ ...noCredentials, form: first })
  const changing = useChange(of)

  return (
    <Section title="Credentials">
      <Text>
        {attributes.has_credentials
          ? 'Stored, never shown. New credentials replace them at once.'
          : 'No credentials stored.'}
      </Text>
      <SaveForm
        action={credentials.form === 'none' ? 'Remove credentials' : 'Set credentials'}
        saving={changing}
        isDisabled={credentials.form === 'none' && !attributes.has_credentials}
        maw="34rem"
        onSubmit={() => changing.mutate({ credentials: toCredentials(credentials) ?? null })}
      >
        <CredentialFields
          kind={kinds[attributes.kind]}
          credentials={credentials}
          onChange={(part) => setWanted((now) => ({ ...now, ...part }))}
          error={changing.error}
        />
      </SaveForm>
    </Section>
  )
}
