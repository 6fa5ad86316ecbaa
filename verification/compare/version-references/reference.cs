using System;
using System.Text;
using NuGet.Versioning;

// Answers like NuGet.Versioning; see ../versions-against-references.ts for the protocol.
static class Reference
{
    static void Main()
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        var output = new StringBuilder();
        output.Append("NuGet.Versioning ").Append(typeof(NuGetVersion).Assembly.GetName().Version).Append('\n');
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var parts = line.Split(' ');
            output.Append(Answer(parts[0], parts[1], parts[2])).Append('\n');
        }
        Console.Write(output);
    }

    static char Answer(string kind, string first, string second)
    {
        var isVersion = NuGetVersion.TryParse(Decode(first), out var a);
        if (Decode(kind) == "accepts")
        {
            if (!VersionRange.TryParse(Decode(second), out var range)) return '!';
            return isVersion && range.Satisfies(a) ? '1' : '0';
        }
        if (!isVersion || !NuGetVersion.TryParse(Decode(second), out var b)) return '?';
        var order = a.CompareTo(b);
        return order < 0 ? '<' : order > 0 ? '>' : '=';
    }

    static string Decode(string text) => Encoding.UTF8.GetString(Convert.FromBase64String(text));
}
