import coursierapi.Dependency;
import coursierapi.Fetch;
import coursierapi.MavenRepository;
import coursierapi.Module;
import coursierapi.Repository;
import coursierapi.ResolutionParams;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads sets of dependencies, one a line, and writes for each what Coursier resolves, as `group:artifact:version` in one
 * line, or `! ` and why it refuses. A dependency is `group:artifact:version`, followed by `|group:artifact` for each
 * exclusion and by `|-` when it stands alone; `=group:artifact:version` forces a version, `-group:artifact` excludes
 * everywhere. The repositories are the arguments. With `-Dmanagement=own` a package's dependency management applies to its
 * own dependencies only, as in every sbt except 1.10.6.
 */
public class Resolve {
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        Repository[] repositories = new Repository[args.length];
        for (int at = 0; at < args.length; at++) repositories[at] = MavenRepository.of(args[at]);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(resolve(line, repositories));
        }
    }

    private static String resolve(String line, Repository[] repositories) {
        // Coursier enables dependency overrides by default since 2.1.17; sbt disables them.
        boolean isManagedBelow = !"own".equals(System.getProperty("management"));
        ResolutionParams params = ResolutionParams.create().withEnableDependencyOverrides(isManagedBelow);
        Fetch fetch = Fetch.create().withRepositories(repositories)
            .withArtifactTypes(Collections.singleton("no-such-type"));
        for (String word : line.trim().split(" ")) {
            if (word.isEmpty()) continue;
            if (word.startsWith("=")) {
                String[] parts = word.substring(1).split(":");
                params = params.forceVersion(Module.of(parts[0], parts[1]), parts[2]);
            } else if (word.startsWith("-")) {
                String[] parts = word.substring(1).split(":");
                params = params.addExclusion(parts[0], parts[1]);
            } else fetch = fetch.addDependencies(toDependency(word));
        }
        try {
            Set<String> found = new TreeSet<>();
            for (Dependency each : fetch.withResolutionParams(params).fetchResult().getDependencies()) {
                Module module = each.getModule();
                found.add(module.getOrganization() + ":" + module.getName() + ":" + each.getVersion());
            }
            return String.join(" ", found);
        } catch (Exception | StackOverflowError error) {
            return "! " + String.valueOf(error.getMessage()).replaceAll("\\s+", " ");
        }
    }

    private static Dependency toDependency(String word) {
        String[] parts = word.split("\\|");
        String[] names = parts[0].split(":");
        Dependency found = Dependency.of(names[0], names[1], names[2]);
        for (int at = 1; at < parts.length; at++) {
            if (parts[at].equals("-")) found = found.withTransitive(false);
            else found = found.addExclusion(parts[at].split(":")[0], parts[at].split(":")[1]);
        }
        return found;
    }
}
