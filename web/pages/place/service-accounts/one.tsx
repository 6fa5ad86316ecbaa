import { Button, Code, Group, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, callData } from '../../../api/client.ts'
import { idIn, paramsOf } from '../../../api/place-params.ts'
import type { ServiceAccount } from '../../../api/resources.ts'
import { Deletion } from '../../../components/deletion.tsx'
import { faultOf, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { type ConsoleScope, paths } from '../../../navigation/paths.ts'
import { useParams } from '../../../router/react.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { textField } from '../../../ui/text-field.ts'
import { RoleName } from '../role-fields/role-name.tsx'
import { authTypes } from './auth-types.ts'
import { Secrets } from './secrets.tsx'

export function ServiceAccountPage() {
  const place = usePlace()
  const { accountId = '' } = useParams()
  const reading = useQuery({
    queryKey: ['service-account', place.kind, place.id, accountId],
    queryFn: () =>
      callData(idIn(place, 'getOrgServiceAccount', 'getGroupServiceAccount'), {
        params: { ...paramsOf(place), serviceaccount_id: accountId },
      }),
  })
  return (
    <ResourcePage kind="Service account" reading={reading}>
      {(account) => (
        <Page title={account.attributes.name}>
          <About place={place} account={account} />
          <Rename key={account.attributes.name} place={place} account={account} />
          <Secrets place={place} account={account} />
          <Deletion
            name={account.attributes.name}
            kind="account"
            words="Its credentials are revoked at once."
            listKeys={[['service-accounts', place.kind, place.id]]}
            backTo={paths.serviceAccounts(place)}
            remove={() =>
              call(idIn(place, 'deleteOrgServiceAccount', 'deleteGroupServiceAccount'), {
                params: { ...paramsOf(place), serviceaccount_id: account.id },
              })
            }
          >
            Every program with this account loses access at once. This cannot be undone.
          </Deletion>
        </Page>
      )}
    </ResourcePage>
  )
}

interface Props {
  readonly place: ConsoleScope
  readonly account: ServiceAccount
}

function About({ place, account: { id, attributes } }: Props) {
  return (
    <Section title="About">
      <Facts
        of={[
          ['Id', <Code key="id">{id}</Code>],
          ['Credential', authTypes[attributes.auth_type].name],
          ['Role', <RoleName key="role" place={place} id={attributes.role_id} />],
          ['Created', <RelativeTime key="created" time={attributes.created_at} />],
          ['Client id', attributes.client_id && <Code key="client">{attributes.client_id}</Code>],
          ['Public keys', attributes.jwks_url],
          ['Tokens live', attributes.access_token_ttl_seconds && `${attributes.access_token_ttl_seconds} seconds`],
        ]}
      />
    </Section>
  )
}

function Rename({ place, account }: Props) {
  const [name, setName] = useState(account.attributes.name)
  const queries = useQueryClient()
  const renaming = useMutation({
    mutationFn: () =>
      callData(idIn(place, 'updateOrgServiceAccount', 'updateGroupServiceAccount'), {
        params: { ...paramsOf(place), serviceaccount_id: account.id },
        body: { data: { id: account.id, type: 'service_account', attributes: { name } } },
      }),
    onSuccess: (document) => {
      queries.setQueryData(['service-account', place.kind, place.id, account.id], document)
      void queries.invalidateQueries({ queryKey: ['service-accounts', place.kind, place.id] })
    },
  })

  const fault = faultOf(renaming.error, 'name')
  return (
    <Section title="Name">
      <SubmitForm onSubmit={() => renaming.mutate()}>
        <Group align="flex-end" gap="sm">
          <TextInput
            aria-label="Name"
            {...textField(name, setName, fault)}
            maxLength={255}
            required
            flex="1 1 16rem"
            maw="28rem"
          />
          <Button
            type="submit"
            variant="default"
            loading={renaming.isPending}
            disabled={name === account.attributes.name}
          >
            Rename
          </Button>
        </Group>
      </SubmitForm>
      {renaming.error && fault === undefined && <RefusalAlert title="Not renamed" error={renaming.error} />}
    </Section>
  )
}
