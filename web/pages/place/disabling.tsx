import { useState } from 'react'
import { call } from '../../api/client.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { paths } from '../../navigation/paths.ts'
import { ButtonLink } from '../../ui/links.tsx'

/** A user as a member or an account of a group. */
export interface OfUser {
  readonly groupId: string
  readonly user: { readonly id: string; readonly attributes: { readonly name: string } }
}

export function Disabling({ groupId, user }: OfUser) {
  const [isDisabled, setDisabled] = useState(false)
  const { name } = user.attributes
  if (isDisabled) {
    return (
      <ButtonLink size="compact-sm" variant="subtle" to={paths.user(groupId, user.id)}>
        Disabled
      </ButtonLink>
    )
  }
  return (
    <ConfirmButton
      size="compact-sm"
      action="Disable"
      name={`Disable ${name}`}
      title={`Disable ${name}?`}
      verb="Disable"
      failure="Not disabled"
      changes={[['users', groupId]]}
      onDone={() => setDisabled(true)}
      run={() => call('updateDisabled', { params: { group_id: groupId, user_id: user.id }, body: { disabled: true } })}
    >
      {name} is signed out everywhere. API keys and authorized apps end. Roles stay. Keys and authorized apps cannot be
      restored.
    </ConfirmButton>
  )
}
