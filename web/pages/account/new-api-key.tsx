import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { callData } from '../../api/client.ts'
import type { ApiKeyInput } from '../../api/resources.ts'
import { useCreation } from '../../components/creation.tsx'
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx'
import { faultOf } from '../../components/refusal-alert.tsx'
import { ExpiryChoice, expiresIn } from '../../ui/lifetimes.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { textField } from '../../ui/text-field.ts'

export function NewApiKey() {
  return (
    <Group>
      <FormDialog action="Create API key" title="Create API key">
        {(close) => <Form onDone={close} />}
      </FormDialog>
    </Group>
  )
}

function Form({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [networks, setNetworks] = useState('')
  const creating = useCreation({
    create: (attributes: ApiKeyInput, key) =>
      callData('createOwnApiKey', { body: { data: { type: 'api_key', attributes } }, idempotencyKey: key }),
    listKey: ['own-api-keys'],
    onCreated: () => undefined,
  })
  const { error } = creating

  function submit() {
    const allowed = networks.split(/[\s,]+/).filter(Boolean)
    creating.mutate({
      name: name.trim(),
      ...expiresIn(days),
      ...(allowed.length > 0 && { allowed_networks: allowed }),
    })
  }

  if (creating.data) {
    return (
      <Stack>
        <SecretOnce label="API key" secret={creating.data.attributes.api_key ?? ''} />
        <Group justify="flex-end">
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    )
  }
  return (
    <DialogForm action="Create API key" failure="Key not created" saving={creating} onSubmit={submit} onCancel={onDone}>
      <TextInput
        label="Name"
        description="Name the program that uses it"
        {...textField(name, setName, faultOf(error, 'name'))}
        maxLength={100}
        required
        data-autofocus
      />
      <ExpiryChoice value={days} onChange={setDays} error={faultOf(error, 'expires_at')} />
      <Textarea
        label="Allowed networks"
        description="One CIDR a line, such as 192.0.2.0/24; leave it empty for any"
        {...textField(networks, setNetworks, faultOf(error, 'allowed_networks'))}
        autosize
        minRows={2}
      />
    </DialogForm>
  )
}
