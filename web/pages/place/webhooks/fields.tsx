import { Checkbox, Stack, Switch, TextInput } from '@mantine/core'
import type { EventName } from '../../../api/webhooks.ts'
import { faultOf } from '../../../refusal-alert.tsx'
import { eventWords } from './words.ts'

export interface Wanted {
  readonly url: string
  readonly description: string
  readonly events: readonly EventName[]
}

interface Props {
  readonly wanted: Wanted
  readonly onChange: (part: Partial<Wanted>) => void
  readonly error: Error | null
}

export function WebhookFields({ wanted, onChange, error }: Props) {
  const wantsAll = wanted.events.includes('*')
  return (
    <>
      <TextInput
        type="url"
        label="Address"
        description="Where messages are sent; private addresses only where the operator allows them"
        placeholder="https://chat.example/hooks/dependencies"
        value={wanted.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
        error={faultOf(error, 'url')}
        maxLength={2000}
        required
      />
      <TextInput
        label="Description"
        description="For the people who meet it"
        value={wanted.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
        error={faultOf(error, 'description')}
        maxLength={500}
      />
      <Switch
        label="Send all events"
        description="Also those that later versions bring"
        checked={wantsAll}
        onChange={(event) => onChange({ events: event.currentTarget.checked ? ['*'] : ['issues.new'] })}
      />
      {!wantsAll && (
        <Checkbox.Group
          label="Events"
          value={[...wanted.events]}
          onChange={(events) => onChange({ events: events as EventName[] })}
          error={faultOf(error, 'events')}
        >
          <Stack gap="sm" mt="xs">
            {Object.entries(eventWords).map(([value, words]) => (
              <Checkbox key={value} value={value} label={value} description={words} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  )
}
