import { call } from '../../api/client.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import type { OfUser } from './disabling.tsx'

export function FactorReset({ groupId, user }: OfUser) {
  const { name } = user.attributes
  return (
    <ConfirmButton
      size="compact-sm"
      action="Reset second factors"
      name={`Reset second factors of ${name}`}
      title={`Reset the second factors of ${name}?`}
      verb="Reset second factors"
      failure="Not reset"
      run={() => call('deleteFactorsOfUser', { params: { group_id: groupId, user_id: user.id } })}
    >
      {name} is signed out everywhere, and can then sign in with the password alone. Verify first that {name} asked for
      this. This cannot be undone.
    </ConfirmButton>
  )
}
