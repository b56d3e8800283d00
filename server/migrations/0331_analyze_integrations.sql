-- A sync that fills them within a minute analyzes them as they grow.
grant maintain on integration_people, integration_members, integration_changes to muster_app, muster_system;
