import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.maven.repository.internal.MavenRepositorySystemUtils;
import org.eclipse.aether.DefaultRepositorySystemSession;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.DependencyNode;
import org.eclipse.aether.repository.LocalRepository;
import org.eclipse.aether.resolution.ArtifactDescriptorRequest;
import org.eclipse.aether.resolution.ArtifactDescriptorResult;
import org.eclipse.aether.util.repository.SimpleArtifactDescriptorPolicy;

/**
 * Reads coordinates `group:artifact:version` of projects, one a line, and writes for each what Maven collects for it from
 * the local repository given as argument: its packages with their scopes in one line, or `! ` and the kind of error.
 */
public class Collect {
    public static void main(String[] args) throws Exception {
        RepositorySystem system =
            MavenRepositorySystemUtils.newServiceLocator().getService(RepositorySystem.class);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(collect(system, new File(args[0]), line));
        }
    }

    private static String collect(RepositorySystem system, File folder, String coordinates) {
        DefaultRepositorySystemSession session = MavenRepositorySystemUtils.newSession();
        session.setOffline(true);
        session.setLocalRepositoryManager(
            system.newLocalRepositoryManager(session, new LocalRepository(folder, "simple")));
        session.setSystemProperty("java.version", "17.0.15");
        session.setSystemProperty("os.name", "Linux");
        session.setSystemProperty("os.arch", "amd64");
        String[] parts = coordinates.split(":");
        Artifact project = new DefaultArtifact(parts[0], parts[1], "pom", parts[2]);
        try {
            session.setArtifactDescriptorPolicy(null);
            ArtifactDescriptorRequest asked = new ArtifactDescriptorRequest(project, new ArrayList<>(), null);
            ArtifactDescriptorResult described = system.readArtifactDescriptor(session, asked);
            // A project that is not valid is refused; a published package that is not has no dependencies.
            session.setArtifactDescriptorPolicy(new SimpleArtifactDescriptorPolicy(true, true));
            CollectRequest request = new CollectRequest();
            request.setRootArtifact(project);
            request.setDependencies(described.getDependencies());
            request.setManagedDependencies(described.getManagedDependencies());
            Set<String> found = new TreeSet<>();
            addBelow(system.collectDependencies(session, request).getRoot(), found, new ArrayList<>());
            return String.join(" ", found);
        } catch (Exception | StackOverflowError error) {
            Throwable cause = error;
            while (cause.getCause() != null) cause = cause.getCause();
            return "! " + cause.getClass().getSimpleName();
        }
    }

    private static void addBelow(DependencyNode node, Set<String> found, List<DependencyNode> above) {
        for (DependencyNode child : node.getChildren()) {
            if (above.contains(child)) continue;
            Artifact artifact = child.getArtifact();
            Dependency dependency = child.getDependency();
            found.add(artifact.getGroupId() + ":" + artifact.getArtifactId() + ":" + artifact.getVersion() + ":"
                + artifact.getClassifier() + ":" + dependency.getScope());
            above.add(child);
            addBelow(child, found, above);
            above.remove(above.size() - 1);
        }
    }
}
