# Answers like Elixir's Version; see ../versions.ts for the protocol.

defmodule VersionReference do
  def compare(a, b) do
    if Version.parse(a) == :error or Version.parse(b) == :error,
      do: "?",
      else: Map.fetch!(%{lt: "<", eq: "=", gt: ">"}, Version.compare(a, b))
  end

  def accepts(version, text) do
    case Version.parse_requirement(text) do
      :error -> "!"
      {:ok, requirement} -> if matches?(version, requirement), do: "1", else: "0"
    end
  end

  defp matches?(version, requirement),
    do: Version.parse(version) != :error and Version.match?(version, requirement)
end

IO.puts("Elixir #{System.version()}")

for line <- IO.stream(:stdio, :line) do
  [kind, a, b] = line |> String.trim_trailing("\n") |> String.split(" ") |> Enum.map(&Base.decode64!/1)
  IO.puts(if kind == "compare", do: VersionReference.compare(a, b), else: VersionReference.accepts(a, b))
end
