-- A campaign whose group is large analyzes them as they grow. broadcast_recipients has the right already.
grant maintain on sequence_people to muster_app, muster_system;
