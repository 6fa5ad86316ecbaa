import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Body, call } from '../../api/client.ts'
import { NewPasswordField } from '../../components/new-password-field.tsx'
import { Note } from '../../components/note.tsx'
import { faultOf, RefusalAlert } from '../../components/refusal-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { SubmitForm } from '../../ui/submit-form.tsx'
import { textField } from '../../ui/text-field.ts'

export function Password() {
  const queries = useQueryClient()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const changing = useMutation({
    mutationFn: (body: Body<'changePassword'>) => call('changePassword', { body }),
    onSuccess: () => {
      setCurrent('')
      setPassword('')
      return queries.invalidateQueries({ queryKey: ['user-sessions'] })
    },
  })

  return (
    <Section title="Password">
      <SubmitForm onSubmit={() => changing.mutate({ current_password: current, password })}>
        <Stack maw="24rem">
          {changing.error && <RefusalAlert title="Not changed" error={changing.error} />}
          {changing.isSuccess && (
            <Text size="sm" role="status">
              Password changed. You are signed out in all other browsers.
            </Text>
          )}
          <PasswordInput
            label="Current password"
            {...textField(current, setCurrent, faultOf(changing.error, 'current_password'))}
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
          <NewPasswordField value={password} onChange={setPassword} error={changing.error} />
          <Note size="sm">Changing the password signs you out in all other browsers. API keys keep working.</Note>
          <Button type="submit" variant="default" loading={changing.isPending} style={{ alignSelf: 'flex-start' }}>
            Change password
          </Button>
        </Stack>
      </SubmitForm>
    </Section>
  )
}
