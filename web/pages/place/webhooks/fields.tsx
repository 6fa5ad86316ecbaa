import { Checkbox, Stack, Switch, TextInput } from '@mantine/core'
import type { EventName } from '../../../api/resources.ts'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { textField } from '../../../ui/text-field.ts'
import { eventWords } from './words.ts'

export interface WebhookInput {
  readonly url: string
  readonly description: string
  readonly events: readonly EventName[]
}

interface Props {
  readonly input: WebhookInput
  readonly onChange: (part: Partial<WebhookInput>) => void
  readonly error: Error | null
}

export function WebhookFields({ input, onChange, error }: Props) {
  const wantsAll = input.events.includes('*')
  return (
    <>
      <TextInput
        type="url"
        label="Address"
        description="Target of deliveries; private addresses only if the operator allows them"
        placeholder="https://chat.example/hooks/dependencies"
        {...textField(input.url, (url) => onChange({ url }), faultOf(error, 'url'))}
        maxLength={2000}
        required
      />
      <TextInput
        label="Description"
        description="For other members"
        {...textField(input.description, (description) => onChange({ description }), faultOf(error, 'description'))}
        maxLength={500}
      />
      <Switch
        label="Send all events"
        description="Including types added by later versions"
        checked={wantsAll}
        onChange={(event) => onChange({ events: event.currentTarget.checked ? ['*'] : ['issues.new'] })}
      />
      {!wantsAll && (
        <Checkbox.Group
          label="Events"
          value={[...input.events]}
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
