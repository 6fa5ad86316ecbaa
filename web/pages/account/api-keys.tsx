import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { listAll } from '../../api/places.ts'
import { KeysTable } from '../../components/keys-table.tsx'
import { ReadingAlert } from '../../components/refusal-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { NewApiKey } from './new-api-key.tsx'

export function ApiKeys() {
  const reading = useQuery({
    queryKey: ['own-api-keys'],
    queryFn: () => listAll((starting_after) => call('listOwnApiKeys', { query: { limit: 100, starting_after } })),
  })
  return (
    <Section title="API keys">
      <span>Programs with one of these keys act as you. For a program of its own, use a service account.</span>
      <ReadingAlert title="Could not load your API keys" reading={reading} />
      {!reading.isError && (
        <KeysTable
          keys={reading.data}
          listKey={['own-api-keys']}
          revoke={(key_id) => call('deleteOwnApiKey', { params: { key_id } })}
        />
      )}
      <NewApiKey />
    </Section>
  )
}
