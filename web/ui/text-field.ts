interface TextChange {
  readonly currentTarget: { readonly value: string }
}

/** Returns the props of a field for a text. */
export function textField(value: string, set: (value: string) => void, error?: string) {
  return { value, onChange: ({ currentTarget }: TextChange) => set(currentTarget.value), error }
}
