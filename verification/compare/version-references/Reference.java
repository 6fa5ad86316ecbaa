import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Base64;
import org.apache.maven.artifact.versioning.ComparableVersion;
import org.apache.maven.artifact.versioning.DefaultArtifactVersion;
import org.apache.maven.artifact.versioning.InvalidVersionSpecificationException;
import org.apache.maven.artifact.versioning.VersionRange;

/** Answers like maven-artifact; see ../versions-against-references.ts for the protocol. The empty text is no version. */
public final class Reference {
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        String jar = ComparableVersion.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        out.println(jar.substring(jar.lastIndexOf('/') + 1).replace(".jar", ""));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split(" ", -1);
            String a = decode(parts[1]);
            String b = decode(parts[2]);
            out.println(decode(parts[0]).equals("compare") ? compare(a, b) : accepts(a, b));
        }
        out.flush();
    }

    private static String decode(String part) throws Exception {
        return new String(Base64.getDecoder().decode(part), "UTF-8");
    }

    private static String compare(String a, String b) {
        if (a.isEmpty() || b.isEmpty()) return "?";
        int difference = new ComparableVersion(a).compareTo(new ComparableVersion(b));
        return difference < 0 ? "<" : difference > 0 ? ">" : "=";
    }

    private static String accepts(String version, String text) {
        try {
            VersionRange range = VersionRange.createFromVersionSpec(text);
            if (range.getRestrictions().isEmpty()) return "!";
            return !version.isEmpty() && range.containsVersion(new DefaultArtifactVersion(version)) ? "1" : "0";
        } catch (InvalidVersionSpecificationException refused) {
            return "!";
        }
    }
}
